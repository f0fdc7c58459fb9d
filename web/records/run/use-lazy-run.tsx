import { useRef, useState } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { OnDemand } from '../on-demand.tsx'
import { isRunning } from '../outbox/draft.ts'
import type { RunControls, RunOptions } from './use-run.tsx'

const RunBar = lazyPart(async () => (await import('./run-bar.tsx')).RunBar)

/** The run of the form's draft. Its code is loaded when a run is started or restored. */
export function useLazyRun(options: RunOptions) {
  const { editing } = options
  const { draft } = editing.merged
  const controls = useRef<RunControls>(null)
  const hasFailed = useRef(false)
  const [records, setRecords] = useState<readonly Employee[] | null>(null)
  const isActive = isRunning(draft)

  function handleLoadError() {
    hasFailed.current = true
    setRecords(null)
  }

  function submit() {
    if (isActive && controls.current) void controls.current.save()
    // While the code is loading, it would end the run.
    else if (!isActive || hasFailed.current) editing.submit()
  }

  return {
    bar: (
      <OnDemand onLoadError={handleLoadError}>
        {(draft.run || records) && <RunBar ref={controls} records={records} {...options} />}
      </OnDemand>
    ),
    submit,
    /** Starts a run with these records; null during one. */
    start: isActive
      ? null
      : (records: readonly Employee[]) => void RunBar.preload().then(() => setRecords([...records])),
    keys: isActive ? { s: () => controls.current?.skip(), c: () => void controls.current?.copyOld() } : {},
  }
}
