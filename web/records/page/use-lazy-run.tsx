import { useRef } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { lazyPart, OnDemand } from '../../ui/lazy-part.tsx'
import type { RunControls, RunOptions } from '../features/run/use-run.tsx'
import { emptyDraft, isRunning } from '../model/book/operation.ts'

const RunBar = lazyPart(() => import('../features/run/run-bar.tsx'), 'RunBar')

/** The run of the form's draft. Its code is loaded when a run is started or restored. */
export function useLazyRun(options: RunOptions) {
  const { editing, outbox } = options
  const { draft } = editing.merged
  const controls = useRef<RunControls>(null)
  const isActive = isRunning(draft)

  /** Ends the run, so that the form can be submitted. */
  function endRun() {
    void outbox.saveForm({ fields: draft.fields, editing: draft.editing })
  }

  async function start(records: readonly Employee[]) {
    await RunBar.preload()
    outbox.replaceForm({
      ...emptyDraft,
      run: { records: [...records], position: 0, suggested: '', changes: [] },
    })
  }

  return {
    bar: <OnDemand onGiveUp={endRun}>{draft.run && <RunBar ref={controls} {...options} />}</OnDemand>,
    /** Does nothing while the code is loading. */
    submit: () => void (isActive ? controls.current?.save() : editing.submit()),
    /** Starts a run with these records; null during one. */
    start: isActive ? null : start,
    keys: isActive ? { s: () => controls.current?.skip(), c: () => void controls.current?.copyOld() } : {},
  }
}
