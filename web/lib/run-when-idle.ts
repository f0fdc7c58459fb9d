/** The longest slice, in ms: half a frame, so that what is typed meanwhile is still painted in the next frame. */
const maxSliceMs = 8
/** Without `requestIdleCallback` (Safari before 26), the pause between slices, in ms. */
const pauseMs = 20

/** A busy or hidden page is hardly ever idle, so wait no longer than this time, in ms. */
const maxWaitMs = 500

/** Resolves when the browser has nothing else to do, or after `maxWaitMs`. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: maxWaitMs })
    else setTimeout(resolve, pauseMs)
  })
}

/**
 * Runs a generator to its end, in short slices, each after `whenIdle`. Returns its result; undefined if it was aborted.
 * A step of the generator must take less than a millisecond.
 */
export async function runWhenIdle<Result>(
  work: Generator<void, Result, void>,
  signal: AbortSignal,
): Promise<Result | undefined> {
  for (;;) {
    await whenIdle()
    if (signal.aborted) return undefined
    const sliceEnd = performance.now() + maxSliceMs
    do {
      const { done, value } = work.next()
      if (done) return value
    } while (performance.now() < sliceEnd)
  }
}
