import {
  decideBatchRestore,
  decideOutcome,
  decideRestore,
  type RestoredState,
} from '../../contract/batches.ts'
import {
  type Employee,
  type EmployeeFields,
  fieldOf,
  fillFields,
  hasSameFields,
  mergeFields,
  secretFieldNames,
} from '../../contract/employees.ts'
import type { FieldEncryption } from './encryption/field-encryption.ts'
import type { KnownPasswords } from './previous-passwords.ts'
import { addDigest, digestsFrom, hasChanged, mayHaveAdded, type StoredDigests } from './request-digests.ts'
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
 * be decrypted. `digests`: see server/storage/request-digests.ts.
 */
export type EmployeeRow = {
  seq: number
  revision: number
  /** What it counts of the size of the register. */
  bytes: number
  passwords: KnownPasswords
  digests: StoredDigests
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
  digests: StoredDigests
}

/** Rows as the current transaction sees them, in a database or in memory. */
export interface EmployeeTable {
  protectDigest: FieldEncryption['protectDigest']
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

/** One record that a command has written. */
export interface Write extends EmployeeVersion {
  kind: 'add' | 'change' | 'delete' | 'restore'
  /** The author's account; undefined for the operator. */
  by: string | undefined
}

/**
 * What a batch has written. `seqs` has one item per change, in the order of `batchLists`: the record's sequence, or 0 if
 * nothing was written. The written changes have consecutive revisions that end at `revision`. The fields are those of the batch;
 * where others were written, those in `filled`, by the revision.
 */
export interface BatchWrites {
  revision: number
  seqs: number[]
  filled: Map<number, EmployeeFields>
}

/** What a command returns: the outcome for its caller, and what it has written, in the order of revisions. */
export interface Written<Outcome = WriteOutcome> {
  outcome: Outcome
  writes: Write[]
}

export type WrittenByBatch =
  | Written<{ outcome: 'key-reused' }>
  | { outcome: WrittenBatch; writes: BatchWrites }

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

/** The same commands for their callers, who need the outcomes only. */
export type EmployeeOutcomes = {
  [K in keyof EmployeeCommands]: (
    ...args: Parameters<EmployeeCommands[K]>
  ) => ReturnType<EmployeeCommands[K]>['outcome']
}

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
  const protect = createProtect(table)

  /** Adds the record unless its id was ever used, also by a removed record. */
  function addEmployee(id: string, fields: EmployeeFields, by?: string, digest?: string): Written {
    const row = table.find(id)
    const digests = protect(digest) ?? null
    if (!row) return toWritten(insert({ kind: 'add', id, fields, by, digests }))
    return digests === null || mayHaveAdded(row.digests, digests) ? unchanged(row) : refused('key-reused')
  }

  function updateEmployee(
    id: string,
    fields: EmployeeFields,
    seen?: EmployeeFields,
    by?: string,
    digest?: string,
  ): Written {
    const row = table.find(id, true)
    const last = row?.readFields()
    if (!row || !last) return refused('not-found')
    const request = protect(digest)
    const isRepeated = hasChanged(row.digests, request)
    if (row.isRemoved) return isRepeated ? repeated(row, last) : refused('not-found')
    const toWrite = (fields: EmployeeFields) => ({ kind: 'change', id, fields, by, request }) as const
    const merged = seen && mergeFields(last, seen, fields)
    if (merged && merged.conflicts.length === 0 && hasSameFields(merged.fields, last))
      return unchanged(row, 'unchanged', last)
    if (isRepeated) return repeated(row, last)
    if (!merged) return toWritten(replace(toWrite(fillFields(fields, last)), row))
    if (merged.conflicts.length > 0) return unchanged(row, 'conflict', last)
    return toWritten(replace(toWrite(merged.fields), row), merged.fields)
  }

  return {
    ...{ addEmployee, updateEmployee },
    ...createRemovalCommands(table),
    writeBatch: createBatchCommand(table),
  }
}

const createProtect = (table: EmployeeTable) => (digest: string | undefined) =>
  digest && table.protectDigest(digest)

function createRemovalCommands(table: EmployeeTable) {
  const { replace } = createRowWriter(table)
  const protect = createProtect(table)

  function removeEmployee(id: string, by?: string, digest?: string): Written {
    const row = table.find(id)
    if (!row || row.isRemoved) return refused('not-found')
    const request = protect(digest)
    if (hasChanged(row.digests, request)) return repeated(row)
    return toWritten(replace({ kind: 'delete', id, fields: null, by, request }, row))
  }

  function restoreEmployee(
    id: string,
    requested: EmployeeFields,
    seen?: EmployeeFields,
    by?: string,
    digest?: string,
  ): Written {
    const row = table.find(id, true)
    if (!row) return refused('not-found')
    const { outcome, fields, other } = decideRestore(toRestoredState(row), requested, seen)
    if (outcome === 'done') return unchanged(row, 'unchanged', other)
    const request = protect(digest)
    if (hasChanged(row.digests, request)) return repeated(row, row.readFields())
    if (outcome === 'conflict') return refused('id-in-use')
    return toWritten(replace({ kind: 'restore', id, fields, by, request }, row), other)
  }

  /** Restores the fields that the record had when it was removed. */
  function restoreDeleted(id: string, by?: string, digest?: string): Written {
    const row = table.find(id)
    if (row && !row.isRemoved) return unchanged(row)
    const request = protect(digest)
    if (row && hasChanged(row.digests, request)) return repeated(row)
    const fields = row?.readFields()
    if (!row || !fields) return refused('not-found')
    return toWritten(replace({ kind: 'restore', id, fields, by, request }, row), fields)
  }

  return { removeEmployee, restoreEmployee, restoreDeleted }
}

function createBatchCommand(table: EmployeeTable) {
  const { insert, replace } = createRowWriter(table)

  return (batch: IdentifiedBatch): WrittenByBatch => {
    const { add, update, remove, restore = [], by } = batch
    const earlier = add[0] && table.find(add[0].id)
    const digest = batch.digest && table.protectDigest(batch.digest)
    if (digest !== undefined && earlier && !mayHaveAdded(earlier.digests, digest))
      return { outcome: { outcome: 'key-reused' }, writes: [] }
    const nextRequest = digestsFrom(digest, (batch.first ?? 0) + add.length)
    const kept: string[] = []
    const restored: WrittenBatch['restored'] = []
    const filled: BatchWrites['filled'] = new Map()
    let isRepeated = earlier !== undefined
    function replaceSeen(kind: Write['kind'], seen: Employee, requested: EmployeeFields | null) {
      const request = nextRequest()
      const row = table.find(seen.id, true)
      const current = row && !row.isRemoved ? row.readFields() : undefined
      const isDone = row && hasChanged(row.digests, request)
      const outcome = isDone ? 'done' : decideOutcome(current, seen, requested)
      if (outcome === 'conflict') kept.push(seen.id)
      if (outcome === 'done') isRepeated = true
      if (!row || outcome !== 'write') return 0
      const fields = requested && fillFields(requested, current)
      return write({ kind, id: seen.id, fields, by, request }, row, requested)
    }
    function restoreRemoved({ id, ...requested }: Employee) {
      const request = nextRequest()
      const row = table.find(id, true)
      if (!row) return 0
      const { outcome, fields, other } = decideBatchRestore(toRestoredState(row), requested)
      const isDone = outcome === 'done' || hasChanged(row.digests, request)
      if (isDone) isRepeated = true
      if (!isDone && outcome === 'conflict') kept.push(id)
      else restored.push({ id, seq: row.seq, ...(other && { fields: other }) })
      if (isDone || outcome !== 'write') return 0
      return write({ kind: 'restore', id, fields, by, request }, row, requested)
    }
    function write(change: Replacement, row: EmployeeRow, requested: EmployeeFields | null) {
      const written = replace(change, row)
      if (written?.fields && requested && !hasSameFields(requested, written.fields))
        filled.set(written.revision, written.fields)
      return seqOf(written)
    }
    const seqs = [
      ...add.map(({ id, ...fields }, i) => {
        if (table.find(id)) return 0
        return seqOf(insert({ kind: 'add', id, fields, by, digests: (i === 0 && digest) || null }))
      }),
      ...update.map(({ seen, fields }) => replaceSeen('change', seen, fields)),
      ...remove.map((seen) => replaceSeen('delete', seen, null)),
      ...restore.map(restoreRemoved),
    ]
    const { revision } = table.head()
    return {
      outcome: { outcome: 'done', revision, kept, restored, isRepeated },
      writes: { revision, seqs, filled },
    }
  }
}

/** Runs a command that came as data. */
export function runEmployeeCommand(
  commands: EmployeeCommands,
  [name, ...args]: CommandOf<EmployeeCommands>,
): Written | WrittenByBatch {
  const run = commands[name] as (...args: unknown[]) => Written | WrittenByBatch
  return run(...args)
}

type NewWrite = Pick<Write, 'kind' | 'id' | 'fields' | 'by'>

/** `request`: its digest. */
type Replacement = NewWrite & { request?: string | undefined }

/** Gives what is written the next revision. Returns undefined if it does not fit. */
function createRowWriter(table: EmployeeTable) {
  function insert(write: NewWrite & { fields: EmployeeFields; digests: StoredDigests }): Write | undefined {
    const { kind, id, fields, by, digests } = write
    const head = table.head()
    const [seq, revision] = [head.lastSeq + 1, head.revision + 1]
    const isWritten = table.insert({ id, seq, revision, fields, digests, by })
    if (!isWritten) return
    head.lastSeq = seq
    head.revision = revision
    return { kind, by, id, seq, revision, fields }
  }

  function replace({ kind, id, fields, by, request }: Replacement, row: EmployeeRow): Write | undefined {
    const head = table.head()
    const { seq } = row
    const revision = head.revision + 1
    const old = fields ? row.readFields() : undefined
    const replaced = old && fields && hasOtherPassword(old, fields) ? old : undefined
    const digests = addDigest(row.digests, request)
    const isWritten = table.update({ id, seq, revision, fields, by, digests, replaced, before: row })
    if (!isWritten) return
    head.revision = revision
    return { kind, by, id, seq, revision, fields }
  }

  return { insert, replace }
}

const toRestoredState = (row: EmployeeRow): RestoredState => ({
  last: row.readFields(),
  isRemoved: row.isRemoved,
})

const hasOtherPassword = (before: EmployeeFields, fields: EmployeeFields) =>
  secretFieldNames.some((name) => fieldOf(before, name) !== fieldOf(fields, name))

type Refusal = Exclude<WriteOutcome, RecordOutcome>['outcome']

const refused = (outcome: Refusal): Written => ({ outcome: { outcome }, writes: [] })

function unchanged(
  { seq, revision }: EmployeeRow,
  outcome: 'unchanged' | 'conflict' = 'unchanged',
  fields?: EmployeeFields,
): { outcome: RecordOutcome; writes: [] } {
  return { outcome: fields ? { outcome, seq, revision, fields } : { outcome, seq, revision }, writes: [] }
}

/** Returns the outcome of a request that has changed the record before: it may have been changed again since. */
function repeated(row: EmployeeRow, fields?: EmployeeFields): Written {
  const { outcome, writes } = unchanged(row, 'unchanged', fields)
  return { outcome: { ...outcome, isRepeated: true }, writes }
}

/** `fields`: what the caller does not know yet of the record. */
function toWritten(write: Write | undefined, fields?: EmployeeFields): Written {
  if (!write) return refused('register-full')
  const { seq, revision } = write
  const outcome = { outcome: 'done', seq, revision } as const
  return { outcome: fields ? { ...outcome, fields } : outcome, writes: [write] }
}

const countWritten = (seqs: number[]) => seqs.reduce((count, seq) => (seq > 0 ? count + 1 : count), 0)

function seqOf(write: Write | undefined): number {
  if (!write) throw new StorageError('register-full', 'The register is full.')
  return write.seq
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

export type Writes = Write[] | BatchWrites

/** Lists what a command has written, in the order of revisions, once. `batch`: that of the command. */
export const listWrites = (writes: Writes, batch: IdentifiedBatch | undefined): Iterable<Write> =>
  Array.isArray(writes) ? writes : batch ? listBatchWrites(writes, batch) : []

function* listBatchWrites(
  { revision: last, seqs, filled }: BatchWrites,
  batch: IdentifiedBatch,
): Generator<Write> {
  const { by } = batch
  let revision = last - countWritten(seqs)
  let i = 0
  for (const { kind, id, fields } of listChanges(batch)) {
    const seq = seqs[i++] ?? 0
    if (seq === 0) continue
    revision += 1
    yield { kind, by, id, seq, revision, fields: filled.get(revision) ?? fields }
  }
}

/** Lists the changes of a batch in the order of `batchLists`. */
function* listChanges({
  add,
  update,
  remove,
  restore = [],
}: IdentifiedBatch): Generator<Pick<Write, 'kind' | 'id' | 'fields'>> {
  for (const fields of add) yield { kind: 'add', id: fields.id, fields }
  for (const { seen, fields } of update) yield { kind: 'change', id: seen.id, fields }
  for (const { id } of remove) yield { kind: 'delete', id, fields: null }
  for (const fields of restore) yield { kind: 'restore', id: fields.id, fields }
}

export function toChange({ id, seq, revision, fields }: EmployeeVersion): EmployeeChange {
  return fields ? { type: 'saved', id, seq, revision, ...fields } : { type: 'removed', id, seq, revision }
}

export function createEmployeeWriter(
  send: SendCommand<EmployeeOutcomes>,
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
