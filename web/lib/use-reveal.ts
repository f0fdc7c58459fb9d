import { type RefObject, useEffect, useState } from 'react'
import { actAfter, listen, stopAll } from './dom.ts'

/** A revealed secret is hidden after this time without activity, in ms. */
const revealDurationMs = 30_000

/** Whether a secret is shown: until `revealDurationMs` without activity in the container, its submit, or a hidden tab. */
export function useReveal(container: RefObject<HTMLElement | null>) {
  const [shown, setShown] = useState(false)

  useEffect(() => {
    const element = container.current
    if (!shown || !element) return
    const hide = () => setShown(false)
    let cancel = actAfter(revealDurationMs, hide)
    const restartTimer = () => {
      cancel()
      cancel = actAfter(revealDurationMs, hide)
    }
    return stopAll(
      listen(element, 'pointermove pointerdown keydown input', restartTimer),
      listen(element, 'submit', hide),
      listen(document, 'visibilitychange', hide),
      () => cancel(),
    )
  }, [shown, container])

  return { shown, show: setShown, toggle: () => setShown(!shown) }
}
