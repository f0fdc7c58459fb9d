import { type RefObject, useEffect, useState } from 'react'

/** A secret that nobody has been busy with for this long is hidden again, in ms. */
const revealedFor = 30_000

const signsOfUse = ['pointermove', 'pointerdown', 'keydown', 'input']

export type Reveal = ReturnType<typeof useReveal>

/**
 * Whether a secret is shown. It hides by itself when there was nothing done in its area for `revealedFor`, when the area
 * is a form and is sent, and when the tab goes out of sight.
 */
export function useReveal(area: RefObject<HTMLElement | null>) {
  const [shown, setShown] = useState(false)

  useEffect(() => {
    const element = area.current
    if (!shown || !element) return
    const hide = () => setShown(false)
    let timer = setTimeout(hide, revealedFor)
    const stayShown = () => {
      clearTimeout(timer)
      timer = setTimeout(hide, revealedFor)
    }
    for (const sign of signsOfUse) element.addEventListener(sign, stayShown)
    element.addEventListener('submit', hide)
    document.addEventListener('visibilitychange', hide)
    return () => {
      clearTimeout(timer)
      for (const sign of signsOfUse) element.removeEventListener(sign, stayShown)
      element.removeEventListener('submit', hide)
      document.removeEventListener('visibilitychange', hide)
    }
  }, [shown, area])

  return { shown, show: setShown, toggle: () => setShown(!shown) }
}
