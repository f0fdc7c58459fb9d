/** Milliseconds after which nobody waits any more: a hidden tab is never painted. */
const maxWaitMs = 100

/** Resolves when what was rendered until now is on the screen: what comes next may keep the page busy for a moment. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    globalThis.requestAnimationFrame?.(() => setTimeout(resolve))
    setTimeout(resolve, maxWaitMs)
  })
}
