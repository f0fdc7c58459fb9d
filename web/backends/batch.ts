import type { Batch, BatchResult } from '../../contract/batches.ts'
import { type Employee, fieldsOf } from '../../contract/employees.ts'

/** The list after a batch that the service has carried out. What the list knows of it already stays as it is. */
export function applyBatch(book: Employee[], batch: Batch, { ids, kept }: BatchResult): Employee[] {
  const leftAlone = new Set(kept)
  const present = new Set(book.map(({ id }) => id))
  const updates = batch.update.filter(({ seen }) => !leftAlone.has(seen.id))
  const updated = new Map(updates.map(({ seen: { id }, fields }) => [id, { id, ...fields }]))
  const removed = new Set(batch.remove.map(({ id }) => id).filter((id) => !leftAlone.has(id)))
  return [
    ...book.filter(({ id }) => !removed.has(id)).map((employee) => updated.get(employee.id) ?? employee),
    ...additionsOf(batch, ids).filter(({ id }) => !present.has(id)),
  ]
}

/** The batch that takes another one back: only where nobody has changed since what it had made. */
export function inverseOf(batch: Batch, { ids, kept }: BatchResult): Batch {
  const leftAlone = new Set(kept)
  return {
    add: [],
    update: batch.update
      .filter(({ seen }) => !leftAlone.has(seen.id))
      .map(({ seen, fields }) => ({ seen: { id: seen.id, ...fields }, fields: fieldsOf(seen) })),
    remove: additionsOf(batch, ids),
  }
}

function additionsOf({ add }: Batch, ids: string[]): Employee[] {
  return add.flatMap((fields, i) => {
    const id = ids[i]
    return id === undefined ? [] : [{ id, ...fields }]
  })
}
