import { actAfter } from './dom.ts'

/** Long work that can pause at each `yield`. */
export type Steps<T> = Generator<undefined, T>

/** Browsers count a task of more than 50 ms as long. Timers of a hidden tab run once a second. */
const getSliceMs = () => (globalThis.document?.hidden ? 1_000 : 25)

/**
 * Does work in slices, between which the page responds, and passes on its result. The first slice is done at once, so that short
 * work is complete when this returns. The returned function stops it.
 */
export function runInSlices<T>(steps: Steps<T>, onDone: (result: T) => void): () => void {
  let stop = () => {}
  function runSlice() {
    const end = performance.now() + getSliceMs()
    do {
      const step = steps.next()
      if (step.done) return onDone(step.value)
    } while (performance.now() < end)
    stop = actAfter(0, runSlice)
  }
  runSlice()
  return () => stop()
}

/** Does all of the work at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
