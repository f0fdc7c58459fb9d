import { useLayoutEffect, useState } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import { runInSlices } from '../../../lib/slices.ts'
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
