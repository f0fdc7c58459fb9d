import type { Batch, BatchResult } from '../../contract/batches.ts'
import { type Employee, revertFields } from '../../contract/employees.ts'
import type { Change } from '../../contract/protocol.ts'
import { anyPlace, applyChanges } from './apply-changes.ts'

/** Applies a batch that the service has executed. Parts that the list already contains have no effect, and stay where they are. */
export function applyBatch(employees: Employee[], batch: Batch, result: BatchResult): Employee[] {
  const { ids, kept } = result
  const conflicts = new Set(kept)
  const existingIds = new Set(employees.map(({ id }) => id))
  const updates = batch.update.filter(({ seen }) => !conflicts.has(seen.id))
  const updated = new Map(updates.map(({ seen: { id }, fields }) => [id, { id, ...fields }]))
  const removed = new Set(batch.remove.map(({ id }) => id).filter((id) => !conflicts.has(id)))
  const changed = [
    ...employees.filter(({ id }) => !removed.has(id)).map((employee) => updated.get(employee.id) ?? employee),
    ...toAddedEmployees(batch, ids).filter(({ id }) => !existingIds.has(id)),
  ]
  const place = (saved: Saved) => (existingIds.has(saved.document.id) ? { ...saved, after: anyPlace } : saved)
  return applyChanges(changed, listRestored(batch, result).map(place))
}

/** The records that a batch has restored, in their places. */
export function listRestored(batch: Batch, { restored = [] }: BatchResult): Saved[] {
  const documents = new Map(batch.restore?.map((document) => [document.id, document]))
  return restored.flatMap(({ id, after, document = documents.get(id) }) =>
    document ? [{ type: 'saved', document, after }] : [],
  )
}

type Saved = Extract<Change, { type: 'saved' }>

/** The batch that undoes another one. It skips records that have been changed since. */
export function invertBatch(batch: Batch, { ids, kept }: BatchResult): Batch {
  const conflicts = new Set(kept)
  return {
    add: [],
    update: batch.update
      .filter(({ seen }) => !conflicts.has(seen.id))
      .map(({ seen, fields }) => ({ seen: { id: seen.id, ...fields }, fields: revertFields(seen, fields) })),
    remove: toAddedEmployees(batch, ids),
  }
}

function toAddedEmployees({ add }: Batch, ids: string[]): Employee[] {
  return add.flatMap((fields, i) => {
    const id = ids[i]
    return id === undefined ? [] : [{ id, ...fields }]
  })
}
