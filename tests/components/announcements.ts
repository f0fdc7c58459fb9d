import { onTestFinished } from 'vitest'

/** Calls `onAnnounced` with each text that appears in a live region. Returns a function that stops. */
export function watchAnnouncements(onAnnounced: (text: string) => void): () => void {
  const observer = new MutationObserver((changes) => {
    const regions = changes
      .filter(({ type, addedNodes }) => type === 'characterData' || addedNodes.length > 0)
      .map(({ target }) =>
        (target instanceof Element ? target : target.parentElement)?.closest('[role=status], [role=alert]'),
      )
    for (const region of new Set(regions)) {
      const text = region?.textContent?.trim()
      if (text) onAnnounced(text)
    }
  })
  observer.observe(document.body, { childList: true, characterData: true, subtree: true })
  return () => observer.disconnect()
}

/**
 * Returns what is announced from now on until the end of the test. A live region forgets it after some seconds, and on a busy
 * machine an action may end later than that.
 */
export function recordAnnouncements(): readonly string[] {
  const announced: string[] = []
  onTestFinished(watchAnnouncements((text) => announced.push(text)))
  return announced
}
