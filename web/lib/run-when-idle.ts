/** The longest slice, in ms: half a frame, so that what is typed meanwhile is still painted in the next frame. */
const maxSliceMs = 8
/** A busy or hidden page is hardly ever idle: after this time, in ms, a slice runs in any case. */
const maxWaitMs = 2_000
/** The pause between slices without `requestIdleCallback` (Safari before 26), in ms. */
const pauseMs = 20

/** Resolves when the browser has nothing else to do, or after `maxWaitMs`, with the time that may be used, in ms. */
export function whenIdle(): Promise<number> {
  return new Promise((resolve) => {
    if (!('requestIdleCallback' in globalThis)) setTimeout(() => resolve(maxSliceMs), pauseMs)
    else {
      requestIdleCallback(
        (deadline) =>
          resolve(deadline.didTimeout ? maxSliceMs : Math.min(maxSliceMs, deadline.timeRemaining())),
        { timeout: maxWaitMs },
      )
    }
  })
}

/** Runs a generator in slices of idle time. Resolves to undefined if aborted. A step must take less than a millisecond. */
export async function runWhenIdle<Result>(
  work: Generator<void, Result, void>,
  signal?: AbortSignal,
): Promise<Result | undefined> {
  for (;;) {
    const sliceMs = await whenIdle()
    if (signal?.aborted) return undefined
    const sliceEnd = performance.now() + sliceMs
    do {
      const { done, value } = work.next()
      if (done) return value
    } while (performance.now() < sliceEnd)
  }
}
