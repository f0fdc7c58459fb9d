import { type RefObject, useEffect, useState } from 'react'

/** A revealed secret is hidden after this time without activity, in ms. */
const revealDurationMs = 30_000

const activityEvents = ['pointermove', 'pointerdown', 'keydown', 'input']

export type Reveal = ReturnType<typeof useReveal>

/**
 * Whether a secret is shown. It is hidden again after `revealDurationMs` without activity in the container, when the
 * container is a form that is submitted, and when the tab is hidden.
 */
export function useReveal(container: RefObject<HTMLElement | null>) {
  const [shown, setShown] = useState(false)

  useEffect(() => {
    const element = container.current
    if (!shown || !element) return
    const listening = new AbortController()
    const { signal } = listening
    const hide = () => setShown(false)
    let timer = setTimeout(hide, revealDurationMs)
    const restartTimer = () => {
      clearTimeout(timer)
      timer = setTimeout(hide, revealDurationMs)
    }
    for (const event of activityEvents) element.addEventListener(event, restartTimer, { signal })
    element.addEventListener('submit', hide, { signal })
    document.addEventListener('visibilitychange', hide, { signal })
    return () => {
      clearTimeout(timer)
      listening.abort()
    }
  }, [shown, container])

  return { shown, show: setShown, toggle: () => setShown(!shown) }
}
