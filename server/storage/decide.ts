import { decideOutcome } from '../../contract/batches.ts'
import {
  type Employee,
  type EmployeeFields,
  hasSameFields,
  mergeFields,
  secretFieldNames,
} from '../../contract/employees.ts'
import type { FieldEncryption } from './encryption/field-encryption.ts'
import type { KnownPasswords } from './previous-passwords.ts'
import {
  type EmployeeChange,
  type EmployeeStorage,
  type IdentifiedBatch,
  type RecordOutcome,
  type RegisterSize,
  StorageError,
  type WriteOutcome,
  type WrittenBatch,
} from './types.ts'

/** Revision of the latest write, sequence of the latest created record, and size of the register. */
export interface Head extends Omit<RegisterSize, 'maxBytes'> {
  revision: number
  lastSeq: number
}

/**
 * `readFields` returns the latest fields; of a removed record undefined, if they are no longer kept. It throws if they cannot
 * be decrypted. `matchesDigest`: the record was added with this digest, or without any.
 */
export type EmployeeRow = {
  seq: number
  revision: number
  /** What it counts of the size of the register. */
  bytes: number
  passwords: KnownPasswords
  matchesDigest(digest: string): boolean
} & (
  | { isRemoved: false; readFields(): EmployeeFields }
  | { isRemoved: true; readFields(): EmployeeFields | undefined }
)

/** Null fields: the record is removed. */
export interface EmployeeVersion {
  id: string
  seq: number
  revision: number
  fields: EmployeeFields | null
}

export interface WrittenRow extends EmployeeVersion {
  /** The author's account; undefined for the operator. */
  by: string | undefined
  /** The latest known fields if their password is replaced by another text. */
  replaced?: EmployeeFields | undefined
  /** The row that it replaces. */
  before?: EmployeeRow | undefined
  /** Set only when the row is inserted. */
  digest?: string | undefined
}

/** Rows as the current transaction sees them, in a database or in memory. */
export interface EmployeeTable {
  /** Returns a mutable object, which the commands update. */
  head(): Head
  /** `withFields`: `readFields` is going to be called, so the fields can be read with the row. */
  find(id: string, withFields?: boolean): EmployeeRow | undefined
  /** False if it does not fit: nothing is written. Updates the size of the register, as does `update`. */
  insert(row: WrittenRow & { fields: EmployeeFields }): boolean
  /** Null fields remove the record; the storage may keep those that it has for a restore. */
  update(row: WrittenRow & { before: EmployeeRow }): boolean
}

/** How the table is to store records. */
export interface StorageRules {
  encryption: FieldEncryption
  /** Whether removed records keep their fields, so that they can be restored. */
  keepDeleted: boolean
  /** See `RegisterSize`. */
  maxBytes: number
}

/**
 * `seqs` has one item per change of the batch, in the order add, update, remove: the record's sequence, or 0 if
 * nothing was written. The written changes have consecutive revisions that end at the batch's.
 */
export interface BatchWriteResult extends WrittenBatch {
  seqs: number[]
}

/** Calls `read` at the first call only: decrypting takes longer than the rest of a write. */
export function once<T>(read: () => T): () => T {
  let result: { value: T } | undefined
  return () => {
    result ??= { value: read() }
    return result.value
  }
}

export type EmployeeCommands = ReturnType<typeof createEmployeeCommands>

/** A call of a command as data: its name, then its arguments. */
export type CommandOf<Commands extends Record<keyof Commands, (...args: never) => unknown>> = {
  [K in keyof Commands]: [name: K, ...args: Parameters<Commands[K]>]
}[keyof Commands]

/** Sends a command to the writer; resolves with its result once the commit has returned. */
export type SendCommand<Commands extends Record<keyof Commands, (...args: never) => unknown>> = <
  K extends keyof Commands,
>(
  name: K,
  ...args: Parameters<Commands[K]>
) => Promise<ReturnType<Commands[K]>>

/**
 * The commands that write records, for both databases. They determine outcome, sequence and revision; the conflict rules are
 * `mergeFields` and, for a batch, `decideOutcome` in contract/. The caller runs them one by one inside a transaction. A
 * command throws only errors of the table, and a batch `register-full`.
 */
export function createEmployeeCommands(table: EmployeeTable) {
  const { insert, replace } = createRowWriter(table)

  /** Adds the record unless its id was ever used, also by a removed record. */
  function addEmployee(id: string, fields: EmployeeFields, digest?: string, by?: string): WriteOutcome {
    const row = table.find(id)
    if (!row) return insert(id, fields, digest, by)
    return digest === undefined || row.matchesDigest(digest) ? unchanged(row) : { outcome: 'key-reused' }
  }

  function updateEmployee(
    id: string,
    fields: EmployeeFields,
    seen?: EmployeeFields,
    by?: string,
  ): WriteOutcome {
    const row = table.find(id, true)
    if (!row || row.isRemoved) return { outcome: 'not-found' }
    if (!seen) return replace(id, row, fields, by)
    const current = row.readFields()
    const merged = mergeFields(current, seen, fields)
    if (merged.conflicts.length > 0) return { ...unchanged(row), outcome: 'conflict', fields: current }
    const isSame = hasSameFields(merged.fields, current)
    const write = isSame ? unchanged(row) : replace(id, row, merged.fields, by)
    return 'seq' in write ? { ...write, fields: merged.fields } : write
  }

  function removeEmployee(id: string, by?: string): WriteOutcome {
    const row = table.find(id)
    return row && !row.isRemoved ? replace(id, row, null, by) : { outcome: 'not-found' }
  }

  function restoreEmployee(id: string, fields: EmployeeFields, by?: string): WriteOutcome {
    const row = table.find(id, true)
    if (!row) return { outcome: 'not-found' }
    if (row.isRemoved) return replace(id, row, fields, by)
    return hasSameFields(row.readFields(), fields) ? unchanged(row) : { outcome: 'id-in-use' }
  }

  /** Restores the fields that the record had when it was removed. */
  function restoreDeleted(id: string, by?: string): WriteOutcome {
    const row = table.find(id)
    if (row && !row.isRemoved) return unchanged(row)
    const fields = row?.readFields()
    if (!row || !fields) return { outcome: 'not-found' }
    const write = replace(id, row, fields, by)
    return 'seq' in write ? { ...write, fields } : write
  }

  function writeBatch(batch: IdentifiedBatch): BatchWriteResult | { outcome: 'key-reused' } {
    const { add, update, remove, digest, by } = batch
    const [first] = add
    if (first && digest !== undefined && table.find(first.id)?.matchesDigest(digest) === false) {
      return { outcome: 'key-reused' }
    }
    const kept: string[] = []
    function replaceSeen(seen: Employee, fields: EmployeeFields | null) {
      const row = table.find(seen.id, true)
      const outcome = decideOutcome(row && !row.isRemoved ? row.readFields() : undefined, seen, fields)
      if (outcome === 'conflict') kept.push(seen.id)
      return row && outcome === 'write' ? replace(seen.id, row, fields, by) : undefined
    }
    const seqs = [
      ...add.map(({ id, ...fields }, i) =>
        writtenSeq(addEmployee(id, fields, i === 0 ? digest : undefined, by)),
      ),
      ...update.map(({ seen, fields }) => writtenSeq(replaceSeen(seen, fields))),
      ...remove.map((seen) => writtenSeq(replaceSeen(seen, null))),
    ]
    return { outcome: 'done', revision: table.head().revision, kept, seqs }
  }

  return { addEmployee, updateEmployee, removeEmployee, restoreEmployee, restoreDeleted, writeBatch }
}

/** Gives what is written the next revision. */
function createRowWriter(table: EmployeeTable) {
  function insert(id: string, fields: EmployeeFields, digest?: string, by?: string): WriteOutcome {
    const head = table.head()
    const [seq, revision] = [head.lastSeq + 1, head.revision + 1]
    const isWritten = table.insert({ id, seq, revision, fields, digest, by })
    if (!isWritten) return { outcome: 'register-full' }
    head.lastSeq = seq
    head.revision = revision
    return { outcome: 'done', seq, revision }
  }

  function replace(id: string, row: EmployeeRow, fields: EmployeeFields | null, by?: string): WriteOutcome {
    const head = table.head()
    const { seq } = row
    const revision = head.revision + 1
    const old = fields ? row.readFields() : undefined
    const replaced = old && fields && hasOtherPassword(old, fields) ? old : undefined
    const isWritten = table.update({ id, seq, revision, fields, by, replaced, before: row })
    if (!isWritten) return { outcome: 'register-full' }
    head.revision = revision
    return { outcome: 'done', seq, revision }
  }

  return { insert, replace }
}

const hasOtherPassword = (before: EmployeeFields, fields: EmployeeFields) =>
  secretFieldNames.some((name) => before[name] !== fields[name])

const unchanged = ({ seq, revision }: EmployeeRow): RecordOutcome => ({ outcome: 'unchanged', seq, revision })

const countWritten = (seqs: number[]) => seqs.reduce((count, seq) => (seq > 0 ? count + 1 : count), 0)

function writtenSeq(write: WriteOutcome | undefined): number {
  if (write?.outcome === 'register-full') throw new StorageError('register-full', 'The register is full.')
  return write?.outcome === 'done' ? write.seq : 0
}

type Counted = Pick<EmployeeRow, 'bytes' | 'isRemoved'>

/** Counts a record anew; false, and not, if the register would grow beyond a limit. */
export function resize(head: Head, before: Counted | undefined, after: Counted, maxBytes: number): boolean {
  const existing = (after.isRemoved ? 0 : after.bytes) - (!before || before.isRemoved ? 0 : before.bytes)
  const all = after.bytes - (before?.bytes ?? 0)
  if (existing > 0 && head.bytes + existing > maxBytes) return false
  if (all > 0 && head.bytes + head.deletedBytes + all > 2 * maxBytes) return false
  head.bytes += existing
  head.deletedBytes += all - existing
  return true
}

interface Write extends EmployeeVersion {
  kind: 'add' | 'change' | 'delete' | 'restore'
  by: string | undefined
}

/** What each command for one record does, and the position of the author among its arguments. */
const singleWrites: Partial<Record<string, [kind: Write['kind'], byIndex: number]>> = {
  addEmployee: ['add', 3],
  updateEmployee: ['change', 3],
  removeEmployee: ['delete', 1],
  restoreEmployee: ['restore', 2],
  restoreDeleted: ['restore', 1],
}

/**
 * Returns what a command has written, in the order of revisions; nothing for commands of accounts and sessions. The writes of a
 * batch can be iterated once.
 */
export function writesOf([name, ...args]: [name: string, ...unknown[]], result: unknown): Iterable<Write> {
  if (name === 'writeBatch')
    return writesOfBatch(args[0] as IdentifiedBatch, result as ReturnType<EmployeeCommands['writeBatch']>)
  const [kind, byIndex = 0] = singleWrites[name] ?? []
  const write = result as WriteOutcome
  if (!kind || write.outcome !== 'done') return []
  const [id, given] = args as [string, EmployeeFields]
  const { seq, revision, fields = kind === 'delete' ? null : given } = write
  return [{ kind, by: args[byIndex] as Write['by'], id, seq, revision, fields }]
}

function* writesOfBatch(
  { add, update, remove, by }: IdentifiedBatch,
  result: ReturnType<EmployeeCommands['writeBatch']>,
): Generator<Write> {
  if (result.outcome !== 'done') return
  let revision = result.revision - countWritten(result.seqs)
  for (const [i, seq] of result.seqs.entries()) {
    if (seq === 0) continue
    revision += 1
    const added = add[i]
    const updated = update[i - add.length]
    const { id } = (added ?? updated?.seen ?? remove[i - add.length - update.length]) as Employee
    const kind = added ? 'add' : updated ? 'change' : 'delete'
    yield { kind, by, id, seq, revision, fields: added ?? updated?.fields ?? null }
  }
}

export function toChange({ id, seq, revision, fields }: EmployeeVersion): EmployeeChange {
  return fields ? { type: 'saved', id, seq, revision, ...fields } : { type: 'removed', id, seq, revision }
}

export function createEmployeeWriter(
  send: SendCommand<EmployeeCommands>,
): Pick<EmployeeStorage, 'add' | 'update' | 'remove' | 'restore' | 'restoreDeleted' | 'writeBatch'> {
  return {
    add: (...args) => send('addEmployee', ...args),
    update: (...args) => send('updateEmployee', ...args),
    remove: (...args) => send('removeEmployee', ...args),
    restore: (...args) => send('restoreEmployee', ...args),
    restoreDeleted: (...args) => send('restoreDeleted', ...args),
    writeBatch: (batch) => send('writeBatch', batch),
  }
}
