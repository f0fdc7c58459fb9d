import type { Batch, BatchResult } from '../../contract/batches.ts'
import { type Employee, revertFields } from '../../contract/employees.ts'

/** Applies a batch that the service has executed. Parts that the list already contains have no effect. */
export function applyBatch(employees: Employee[], batch: Batch, { ids, kept }: BatchResult): Employee[] {
  const conflicts = new Set(kept)
  const existingIds = new Set(employees.map(({ id }) => id))
  const updates = batch.update.filter(({ seen }) => !conflicts.has(seen.id))
  const updated = new Map(updates.map(({ seen: { id }, fields }) => [id, { id, ...fields }]))
  const removed = new Set(batch.remove.map(({ id }) => id).filter((id) => !conflicts.has(id)))
  return [
    ...employees.filter(({ id }) => !removed.has(id)).map((employee) => updated.get(employee.id) ?? employee),
    ...toAddedEmployees(batch, ids).filter(({ id }) => !existingIds.has(id)),
  ]
}

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
