import { type RefObject, useEffect, useState } from 'react'

/** A secret that nobody has been busy with for this long is hidden again, in ms. */
const revealDurationMs = 30_000

const activityEvents = ['pointermove', 'pointerdown', 'keydown', 'input']

export type Reveal = ReturnType<typeof useReveal>

/**
 * Whether a secret is shown. It hides by itself when there was nothing done in its area for `revealedFor`, when the area
 * is a form and is sent, and when the tab goes out of sight.
 */
export function useReveal(container: RefObject<HTMLElement | null>) {
  const [shown, setShown] = useState(false)

  useEffect(() => {
    const element = container.current
    if (!shown || !element) return
    const hide = () => setShown(false)
    let timer = setTimeout(hide, revealDurationMs)
    const restartTimer = () => {
      clearTimeout(timer)
      timer = setTimeout(hide, revealDurationMs)
    }
    for (const sign of activityEvents) element.addEventListener(sign, restartTimer)
    element.addEventListener('submit', hide)
    document.addEventListener('visibilitychange', hide)
    return () => {
      clearTimeout(timer)
      for (const sign of activityEvents) element.removeEventListener(sign, restartTimer)
      element.removeEventListener('submit', hide)
      document.removeEventListener('visibilitychange', hide)
    }
  }, [shown, container])

  return { shown, show: setShown, toggle: () => setShown(!shown) }
}
