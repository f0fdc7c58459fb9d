import {
  type Employee,
  type EmployeeFields,
  fieldNames,
  fieldOf,
  pickFields,
} from '../../contract/employees.ts'
import type {
  BatchOutcome,
  EmployeeChange,
  IdentifiedBatch,
  RecordOutcome,
  Removal,
  StoredEmployee,
  WriteOutcome,
  WrittenBatch,
} from '../../server/storage/storage.ts'

interface ModelRow {
  id: string
  revision: number
  /** Undefined once the record is removed. */
  fields: EmployeeFields | undefined
  /** Those that it has, or had last. */
  last?: EmployeeFields | undefined
}

export type Write =
  | { type: 'add'; id: string; fields: EmployeeFields }
  | { type: 'update' | 'restore'; id: string; fields: EmployeeFields; seen?: EmployeeFields | undefined }
  | { type: 'remove'; id: string }
  | { type: 'restoreDeleted'; id: string }
  | { type: 'writeBatch'; batch: IdentifiedBatch }

/** The rules of a register, on an array in order of creation. */
export function createModel() {
  const rows: ModelRow[] = []
  let changes: EmployeeChange[] = []
  let revision = 0
  /** Whether the running batch has found something as it wants it. */
  let isRepeated = false

  const find = (id: string) => rows.find((row) => row.id === id)
  const seqOf = (row: ModelRow) => rows.indexOf(row) + 1

  const removed = (limit: number) =>
    rows
      .filter(({ fields }) => !fields)
      .sort((a, b) => b.revision - a.revision)
      .slice(0, limit)

  function write(row: ModelRow, fields: EmployeeFields | undefined): RecordOutcome {
    revision += 1
    Object.assign(row, { revision, fields, last: fields ?? row.fields })
    const head = { id: row.id, seq: seqOf(row), revision }
    changes.push(fields ? { type: 'saved', ...head, ...fields } : { type: 'removed', ...head })
    return { outcome: 'done', seq: head.seq, revision }
  }

  const unchanged = (row: ModelRow): RecordOutcome => ({
    outcome: 'unchanged',
    seq: seqOf(row),
    revision: row.revision,
  })

  function add(id: string, fields: EmployeeFields): WriteOutcome {
    const row = find(id)
    if (row) return unchanged(row)
    rows.push({ id, revision: 0, fields: undefined })
    return write(rows.at(-1) as ModelRow, fields)
  }

  function replace(id: string, fields: EmployeeFields | undefined): WriteOutcome {
    const row = find(id)
    return row?.fields ? write(row, fields) : { outcome: 'not-found' }
  }

  function update(id: string, fields: EmployeeFields, seen: EmployeeFields): WriteOutcome {
    const row = find(id)
    if (!row?.fields) return { outcome: 'not-found' }
    const merged = { ...row.fields }
    for (const name of fieldNames) {
      const [wanted, was, is] = [fieldOf(fields, name), fieldOf(seen, name), fieldOf(merged, name)]
      if (wanted === was || wanted === is) continue
      if (is !== was) return { ...unchanged(row), outcome: 'conflict', fields: row.fields }
      merged[name] = wanted
    }
    return { ...(isSame(merged, row.fields) ? unchanged(row) : write(row, merged)), fields: merged }
  }

  /** `seen`: the record as its author saw it. What the author has not changed is as it was last. */
  function restore(id: string, requested: EmployeeFields, seen?: EmployeeFields): WriteOutcome {
    const row = find(id)
    if (!row) return { outcome: 'not-found' }
    const fields = { ...requested }
    for (const name of fieldNames) {
      const [wanted, last] = [fieldOf(fields, name), fieldOf(row.last ?? fields, name)]
      if (seen && wanted === fieldOf(seen, name) && wanted !== last) fields[name] = last
    }
    if (row.fields && !isSame(row.fields, fields)) return { outcome: 'id-in-use' }
    const outcome = row.fields ? unchanged(row) : write(row, fields)
    return isSame(fields, requested) ? outcome : { ...outcome, fields }
  }

  function restoreDeleted(id: string): WriteOutcome {
    const row = find(id)
    if (row?.fields) return unchanged(row)
    const fields = row?.last
    return row && fields ? { ...write(row, fields), fields } : { outcome: 'not-found' }
  }

  function replaceSeen(seen: Employee, fields: EmployeeFields | undefined): string[] {
    const { id, ...seenFields } = seen
    const current = find(id)?.fields
    if (isSame(current, fields)) {
      isRepeated = true
      return []
    }
    if (!isSame(current, seenFields)) return [id]
    replace(id, fields)
    return []
  }

  function writeBatch(batch: IdentifiedBatch): BatchOutcome {
    const [first] = batch.add
    isRepeated = first !== undefined && find(first.id) !== undefined
    for (const { id, ...fields } of batch.add) add(id, fields)
    const kept = [
      ...batch.update.flatMap(({ seen, fields }) => replaceSeen(seen, fields)),
      ...batch.remove.flatMap((seen) => replaceSeen(seen, undefined)),
    ]
    const restored: WrittenBatch['restored'] = []
    for (const { id, ...requested } of batch.restore ?? []) {
      const row = find(id)
      const written = restore(id, requested, row?.fields ? undefined : requested)
      if (written.outcome === 'id-in-use') kept.push(id)
      if (!row || !('seq' in written)) continue
      const { seq, fields } = written
      if (written.outcome === 'unchanged') isRepeated = true
      restored.push({ id, seq, ...(fields && { fields }) })
    }
    return { outcome: 'done', revision, kept, restored, isRepeated }
  }

  return {
    apply(this: void, write: Write): WriteOutcome | BatchOutcome {
      if (write.type === 'writeBatch') return writeBatch(write.batch)
      if (write.type === 'remove') return replace(write.id, undefined)
      if (write.type === 'restoreDeleted') return restoreDeleted(write.id)
      if (write.type === 'add') return add(write.id, write.fields)
      if (write.type === 'restore') return restore(write.id, write.fields, write.seen)
      return write.seen ? update(write.id, write.fields, write.seen) : replace(write.id, write.fields)
    },
    revision: () => revision,
    takeChanges() {
      const taken = changes
      changes = []
      return taken
    },
    list: (): StoredEmployee[] =>
      rows.flatMap((row) =>
        row.fields ? [{ id: row.id, seq: seqOf(row), revision: row.revision, ...row.fields }] : [],
      ),
    listDeleted: (limit: number): Employee[] =>
      removed(limit).map(({ id, last }) => ({ id, ...(last as EmployeeFields) })),
    latestRemovals: (limit: number): Removal[] =>
      removed(limit).map((row) => ({ id: row.id, seq: seqOf(row), revision: row.revision })),
  }
}

const isSame = (a: EmployeeFields | undefined, b: EmployeeFields | undefined) =>
  JSON.stringify(a && pickFields(a)) === JSON.stringify(b && pickFields(b))
