/** Hidden tabs are never painted, so resolve after this time, in ms. */
const maxWaitMs = 100

/** Resolves once the current rendering has been painted, so that long work after it does not delay the paint. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    globalThis.requestAnimationFrame?.(() => setTimeout(resolve))
    setTimeout(resolve, maxWaitMs)
  })
}
