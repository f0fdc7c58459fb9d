import { useLayoutEffect, useState } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import { actAfter } from '../../../lib/dom.ts'
import type { Steps } from './matching/target-index.ts'
import { type Preview, previewInSteps, type ReadOptions } from './preview.ts'
import type { ParsedSource } from './source/parse-source.ts'

/**
 * Computes the preview again whenever one of these changes, before the next paint if the list is short. Until it is done it
 * returns the previous one, which is not current; null at first.
 */
export function usePreview(source: ParsedSource, readOptions: ReadOptions, employees: readonly Employee[]) {
  const [done, setDone] = useState<{ preview: Preview; of: readonly unknown[] } | null>(null)
  useLayoutEffect(
    () =>
      runInSlices(previewInSteps(source, readOptions, employees), (preview) =>
        setDone({ preview, of: [source, readOptions, employees] }),
      ),
    [source, readOptions, employees],
  )
  const isCurrent = [source, readOptions, employees].every((input, i) => input === done?.of[i])
  return done && { ...done.preview, isCurrent }
}

/** Browsers count a task of more than 50 ms as long. Timers of a hidden tab run once a second. */
const getSliceMs = () => (globalThis.document?.hidden ? 1_000 : 25)

/**
 * Does work in slices, between which the page responds, and passes on its result. Short work is done when this returns. Unlike
 * `runWhenIdle` it does not wait for an idle browser, because the user waits for the result. The returned function stops it.
 */
export function runInSlices<T>(steps: Steps<T>, onDone: (result: T) => void): () => void {
  const end = performance.now() + getSliceMs()
  while (performance.now() < end) {
    const step = steps.next()
    if (!step.done) continue
    onDone(step.value)
    return () => {}
  }
  let stop = actAfter(0, () => {
    stop = runInSlices(steps, onDone)
  })
  return () => stop()
}
