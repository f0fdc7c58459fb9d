import type { Batch, BatchResult } from '../../../../contract/batches.ts'
import {
  changedNames,
  completeFields,
  countCharacters,
  type Employee,
  type EmployeeFields,
  fieldNames,
  hasSameFields,
  mergeFields,
  pickFields,
  pickNamed,
  revertFields,
} from '../../../../contract/employees.ts'
import { invertBatch } from '../../../backends/batch.ts'
import { newIdempotencyKey } from '../../../backends/idempotency-key.ts'
import type { ServiceError, ServiceErrorCode } from '../../../backends/ports.ts'
import { t } from '../../../language/translate.ts'
import type { Outcome } from '../book/book-slice.ts'
import {
  type BatchOperation,
  type Draft,
  draftFromOperation,
  isBatch,
  isSent,
  isTransient,
  type Operation,
  restoreMany,
  seeSent,
} from '../book/operation.ts'

export interface OperationError {
  code: ServiceErrorCode | 'unfinished'
  message: string
  /** The outbox does not retry before this time, in ms since 1970, which was so many ms ahead. */
  retryAt?: number
  retryAfterMs?: number
}

/** `mayBeDone`: the service may have executed it, because an answer was lost, or would be if the page were closed. */
type Sent = { id: string; operation: Operation; mayBeDone?: boolean | undefined }

/** A change or a draft in the outbox. Entries are stored, so a new version must be able to read those of older versions. */
export type Entry =
  /** Being sent; `since` is the time of submission, in ms since 1970. `isToBeUndone`: as soon as it has been sent. */
  | (Sent & { state: 'sending'; since: number; isToBeUndone?: true })
  /** Failed. After some errors the outbox retries automatically: see `isTransient`. */
  | (Sent & { state: 'refused'; refusal: OperationError })
  /** A delete that has succeeded and can be undone. */
  | { id: string; state: 'deleted'; employee: Employee }
  /** Updates that have succeeded and can be undone: from the record as it was `before` the first to the last `employee`. */
  | { id: string; state: 'updated'; employee: Employee; before: Employee }
  /** Deletes in one batch that can be undone. `kept` counts the records that others had changed, which are still there. */
  | { id: string; state: 'deleted-many'; employees: readonly Employee[]; kept: number }
  /** An import that has succeeded and can be undone. */
  | { id: string; state: 'imported'; batch: Batch; result: BatchResult }
  /** An import was undone, or so many records were restored, except for `kept` ones that others have changed since. */
  | { id: string; state: 'undone'; kept: number; restored?: number }
  /** A draft that something else has replaced in the form. */
  | { id: string; state: 'draft'; draft: Draft }
  /** A draft that the user has discarded with Cancel, which can be undone. */
  | { id: string; state: 'discarded'; draft: Draft }

/** Whether an entry has input that the service does not have. */
export function isUnsaved({ state }: Entry): boolean {
  return state === 'sending' || state === 'refused' || state === 'draft'
}

/** Whether an entry is sent again automatically while there is a connection. Imports never are. */
export function isWaiting(entry: Entry): boolean {
  if (entry.state !== 'refused' || entry.operation.kind === 'import') return false
  return entry.refusal.code === 'offline' || entry.refusal.code === 'busy'
}

/** How the row of an existing record is marked: it will be `deleted` when there is a connection, or something else is not saved. */
export type UnsavedMark = 'changed' | 'deleted'

/** The existing records, by id, of which a change, an edit or a deletion is not saved. */
export function findUnsaved(entries: readonly Entry[]): Map<string, UnsavedMark> {
  const marks = new Map<string, UnsavedMark>()
  for (const entry of entries) {
    if (entry.state === 'draft' && entry.draft.editing)
      marks.set(entry.draft.editing.id, marks.get(entry.draft.editing.id) ?? 'changed')
    if (entry.state !== 'refused') continue
    const { operation } = entry
    const isRemoved = isTransient(entry.refusal.code)
    if (isBatch(operation) && isRemoved) for (const { id } of operation.batch.remove) marks.set(id, 'deleted')
    if (!('employee' in operation)) continue
    const { id } = operation.employee
    marks.set(id, isRemoved && operation.kind === 'remove' ? 'deleted' : (marks.get(id) ?? 'changed'))
  }
  return marks
}

export type EntryInState<S extends Entry['state']> = Extract<Entry, { state: S }>

/** Whether the service has asked to be left alone still. After the clock was put back, the time that it gave is over too. */
export function isTooEarly({ retryAt = 0, retryAfterMs = Number.POSITIVE_INFINITY }: OperationError) {
  const leftMs = retryAt - Date.now()
  return leftMs > 0 && leftMs <= retryAfterMs
}

/**
 * Errors after which the operation may have succeeded, or may be retried automatically at any moment: a network may also deliver
 * a request again after the server has refused it, when that has a disk or space again.
 */
export const isUncertain = (code: OperationError['code']) =>
  isTransient(code) || code === 'server-error' || code.startsWith('storage-')

export const isPending = (entry: Entry): entry is EntryInState<'sending' | 'refused'> =>
  entry.state === 'sending' || (entry.state === 'refused' && isTransient(entry.refusal.code))

/** Returns the user's own updates of a record that are being sent or wait for it. */
export function findPendingUpdates(entries: readonly Entry[], recordId: string | undefined) {
  return entries.flatMap((entry) =>
    isPending(entry) && entry.operation.kind === 'update' && entry.operation.employee.id === recordId
      ? [entry.operation]
      : [],
  )
}

/** Returns the record with the user's own updates that are pending, as far as they can be merged. */
export function applyPendingUpdates(record: Employee, entries: readonly Entry[]): Employee {
  return findPendingUpdates(entries, record.id).reduce(
    (current, { before, employee, sent }) => ({
      id: current.id,
      ...mergeFields(current, seeSent(before, sent, current), employee).fields,
    }),
    record,
  )
}

/**
 * Returns an operation on a record with what was sent of the same fields by edits that are drafts again, or are discarded: the service
 * may have it.
 */
export function withSentDrafts(operation: Operation, entries: readonly Entry[]): Operation {
  if (!('employee' in operation)) return operation
  const { employee, before, sent = [] } = operation
  const changed = before ? changedNames(before, employee) : fieldNames
  const ofDrafts = entries
    .flatMap((entry) =>
      'draft' in entry && entry.draft.editing?.id === employee.id ? (entry.draft.sent ?? []) : [],
    )
    .map((version) => ({ ...version, names: changed.filter((name) => isSent(name)(version)) }))
    .filter(({ names }) => names.length > 0)
  return ofDrafts.length > 0 ? { ...operation, sent: [...ofDrafts, ...sent] } : operation
}

/** Returns the undo of an update without the fields that pending updates have changed again. */
export function keepPending(undo: Operation, entries: readonly Entry[]): Operation {
  if (undo.kind !== 'update') return undo
  const pending = findPendingUpdates(entries, undo.employee.id)
  const names = pending.flatMap(({ before, employee }) => changedNames(before, employee))
  return { ...undo, employee: { ...undo.employee, ...pickNamed(names, undo.before) } }
}

/** Returns the entry that reports an operation or can undo it, or null. `continued`: the entry of the updates that it continues. */
export function createResultEntry(
  id: string,
  operation: Operation,
  outcome: Outcome | undefined,
  continued: EntryInState<'updated'> | undefined,
): UndoEntry | EntryInState<'undone'> | null {
  if (operation.kind === 'remove') return { id, state: 'deleted', employee: operation.employee }
  if (operation.kind === 'update' && !operation.isUndo) {
    const employee = getUpdated(operation, outcome)
    // What others have changed is not undone. A field that was empty before is emptied again.
    const { fields } = mergeFields(employee, operation.employee, completeFields(operation.before))
    const before = continued?.before ?? { id: employee.id, ...fields }
    return hasSameFields(employee, before) ? null : { id, state: 'updated', employee, before }
  }
  if (outcome?.type !== 'batch') return null
  const { ids, kept } = outcome
  if (operation.kind === 'delete-many') {
    const isKept = new Set(kept)
    const employees = operation.batch.remove.filter(({ id }) => !isKept.has(id))
    return { id, state: 'deleted-many', employees, kept: kept.length }
  }
  if (operation.kind === 'import')
    return { id, state: 'imported', batch: operation.batch, result: { ids, kept } }
  if (kept.length === 0) return null
  const restored = outcome.restored?.length
  return { id, state: 'undone', kept: kept.length, ...(restored !== undefined && { restored }) }
}

/** The records of a batch that were not restored because the service knows none with their ids. */
export function findUnknown({ batch }: BatchOperation, outcome: Outcome | undefined): Employee[] {
  if (outcome?.type !== 'batch' || !outcome.restored) return []
  const known = new Set([...outcome.kept, ...outcome.restored.map(({ id }) => id)])
  return batch.restore?.filter(({ id }) => !known.has(id)) ?? []
}

export function withoutRestores(operation: BatchOperation, records: readonly Employee[]): BatchOperation {
  if (records.length === 0) return operation
  const { batch } = operation
  return {
    ...operation,
    batch: { ...batch, restore: batch.restore?.filter((each) => !records.includes(each)) ?? [] },
  }
}

/** Returns the record that an error of a batch names as invalid, if it is one to restore, and the batch without it. */
export function splitOffInvalid({ batch }: BatchOperation, { field }: Partial<ServiceError>) {
  const [, index] = /^restore\/(\d+)\//.exec(field ?? '') ?? []
  const record = batch.restore?.[Number(index)]
  if (!record) return
  return { record, rest: batch.restore?.filter((each) => each !== record) ?? [] }
}

/** Returns the record as the service has merged it with others' changes. */
const getUpdated = ({ employee }: { employee: Employee }, outcome: Outcome | undefined) =>
  outcome?.type === 'updated' ? outcome.document : employee

/** Returns the entry that an update continues: the latest of its record, unless somebody else has changed the record since. */
export function findContinued(
  entries: readonly Entry[],
  operation: Operation,
  outcome: Outcome | undefined,
): EntryInState<'updated'> | undefined {
  if (operation.kind !== 'update' || operation.isUndo) return undefined
  const { employee, before } = operation
  const latest = entries.findLast((entry) => entry.state === 'updated' && entry.employee.id === employee.id)
  const isContinued = latest?.state === 'updated' && hasSameFields(latest.employee, before)
  return isContinued && hasSameFields(getUpdated(operation, outcome), employee) ? latest : undefined
}

export type UndoEntry = EntryInState<'deleted' | 'deleted-many' | 'updated' | 'imported' | 'discarded'>

export const isUndo = (entry: Entry): entry is UndoEntry =>
  ['deleted', 'deleted-many', 'updated', 'imported', 'discarded'].includes(entry.state)

/** What the command to undo takes back: something done, or an operation that is being sent or waits. */
export type UndoableEntry = UndoEntry | EntryInState<'sending' | 'refused'>

export const canUndo = (entry: Entry): entry is UndoableEntry =>
  isUndo(entry) || ((entry.state === 'sending' ? !entry.isToBeUndone : isWaiting(entry)) && isUndoable(entry))

const isUndoable = (entry: Entry) =>
  'operation' in entry &&
  (entry.operation.kind === 'update'
    ? !entry.operation.isUndo
    : ['remove', 'delete-many'].includes(entry.operation.kind))

export const isUpdate = (entry: Entry) => 'operation' in entry && entry.operation.kind === 'update'

/** Returns the operation that undoes what an entry has done, or may have done; undefined if nothing does. */
export function invertEntry(entry: UndoableEntry): Operation | undefined {
  switch (entry.state) {
    case 'deleted':
      return { kind: 'restore', employee: entry.employee }
    case 'updated': {
      const { employee, before } = entry
      const reverted = { id: before.id, ...revertFields(before, employee) }
      return { kind: 'update', employee: reverted, before: employee, isUndo: true }
    }
    case 'deleted-many':
      return restoreMany(entry.employees)
    case 'imported':
      return {
        kind: 'undo-import',
        batch: invertBatch(entry.batch, entry.result),
        key: newIdempotencyKey(),
      }
    case 'discarded':
      return
    default: {
      const { id, operation } = entry
      const batch = isBatch(operation) && { ...operation, type: 'batch' as const, ids: [], kept: [] }
      const done = createResultEntry(id, operation, batch || undefined, undefined)
      const inverse = done && isUndo(done) ? invertEntry(done) : undefined
      const { sent } = operation.kind === 'update' ? operation : {}
      return inverse?.kind === 'update' ? { ...inverse, sent } : inverse
    }
  }
}

/** What can be undone at most, of the latest: so many entries, with so many characters of records together. */
const undoLimits = { entries: 1_000, characters: 64_000_000 }

/** Returns the undo entries to forget: the oldest beyond the limits, and older deletes of a record. Never the latest. */
export function findExpiredUndo(entries: readonly Entry[]): UndoEntry[] {
  const deletedIds = new Set<string>()
  let [count, characters] = [0, 0]
  return entries
    .filter(isUndo)
    .toReversed()
    .filter((entry) => {
      count += 1
      characters += collectRecords(entry).reduce((sum, record) => sum + countCharacters(record), 0)
      const isLatest = count === 1
      const isRepeated = entry.state === 'deleted' && deletedIds.has(entry.employee.id)
      if (entry.state === 'deleted') deletedIds.add(entry.employee.id)
      return isRepeated || (!isLatest && (count > undoLimits.entries || characters > undoLimits.characters))
    })
}

function collectRecords(entry: UndoEntry): EmployeeFields[] {
  if (entry.state === 'deleted') return [entry.employee]
  if (entry.state === 'deleted-many') return [...entry.employees]
  if (entry.state === 'updated') return [entry.employee, entry.before]
  if (entry.state === 'discarded') return [entry.draft.fields]
  const { add, update, remove } = entry.batch
  return [...add, ...update.flatMap(({ seen, fields }) => [seen, fields]), ...remove]
}

/**
 * Returns the entries without deletes whose record exists again, and without updates whose record does not exist, because
 * somebody has restored or deleted it. They are not removed from the outbox: the list may be incomplete or outdated.
 */
export function withoutObsolete(entries: readonly Entry[], book: readonly Employee[]): readonly Entry[] {
  const undoneIds = new Set(entries.flatMap(listUndone).map(({ id }) => id))
  if (undoneIds.size === 0) return entries
  // A set of all ids would take 50 ms with 100,000 records.
  const existingIds = new Set(book.filter(({ id }) => undoneIds.has(id)).map(({ id }) => id))
  return entries.filter((entry) => {
    const records = listUndone(entry)
    const exists = ({ id }: Employee) => existingIds.has(id)
    return entry.state === 'updated' ? records.every(exists) : records.length === 0 || !records.every(exists)
  })
}

/** The records whose delete or update an entry can undo. */
export function listUndone(entry: Entry): readonly Employee[] {
  if (entry.state === 'deleted-many') return entry.employees
  return entry.state === 'deleted' || entry.state === 'updated' ? [entry.employee] : []
}

export const createConflictError = (): OperationError => ({
  code: 'conflict',
  message: t('Someone else changed this record meanwhile.'),
})

/** The error of a record that the service no longer knows. */
export const createUnknownError = (): OperationError => ({
  code: 'not-found',
  message: t('This record no longer exists.'),
})

/** The error of an interrupted import, which is never sent again automatically. */
export const createUnfinishedError = (): OperationError => ({
  code: 'unfinished',
  message: t('The import was interrupted.'),
})

/**
 * Returns how a failed operation can be retried. A record that can't be restored, because the service no longer has it,
 * is added as a new one. If somebody else has restored it, what was typed becomes an update with a conflict; null if nothing
 * was.
 */
export function adaptFailedOperation(
  operation: Operation,
  refusal: OperationError,
): Pick<EntryInState<'refused'>, 'operation' | 'refusal'> | null {
  if (operation.kind !== 'restore') return { operation, refusal }
  const { employee, before } = operation
  switch (refusal.code) {
    case 'not-found':
      return { operation: { kind: 'add', fields: pickFields(employee), key: newIdempotencyKey() }, refusal }
    case 'id-in-use':
      return before
        ? { operation: { kind: 'update', employee, before }, refusal: createConflictError() }
        : null
    default:
      return { operation, refusal }
  }
}

/** Returns the entry's content as a draft for the form, or null if it can't be edited there. */
export function draftFromEntry(entry: Entry | undefined): Draft | null {
  if (entry?.state === 'draft' || entry?.state === 'discarded') return entry.draft
  if (entry?.state !== 'refused' || isBatch(entry.operation)) return null
  const { code } = entry.refusal
  // A key is reused for a record that was added with other fields.
  return draftFromOperation(entry.operation, isUncertain(code) || code === 'key-reused', entry.id)
}

/** Returns the undo that a failed restore was, or null. The form would lose the record, because nobody has typed in it. */
export function undoFromFailedRestore(entry: Entry | undefined): UndoEntry | null {
  if (entry?.state !== 'refused' || entry.operation.kind !== 'restore' || entry.operation.before) return null
  return { id: entry.id, state: 'deleted', employee: entry.operation.employee }
}

export function toOperationError(error: unknown): OperationError {
  const { code = 'server-error', message, retryAfterMs } = error as Partial<ServiceError>
  return {
    code,
    message: message ?? t('Something went wrong.'),
    ...(retryAfterMs ? { retryAt: Date.now() + retryAfterMs, retryAfterMs } : {}),
  }
}

/** Earlier versions stored what a batch is to restore as what it removes. */
export function upgradeEntry(entry: Entry): Entry {
  if (!('operation' in entry) || entry.operation.kind !== 'restore-many') return entry
  const { batch, ...operation } = entry.operation
  if (batch.restore) return entry
  const upgraded: Batch = { ...batch, remove: [], restore: batch.remove }
  return { ...entry, operation: { ...operation, batch: upgraded } }
}

/** Returns a stored entry as it is after a reload. An operation that was being sent may or may not have succeeded. */
export function markInterrupted(entry: Entry): Entry {
  if (entry.state !== 'sending') return entry
  const { id, mayBeDone } = entry
  const operation = (entry.isToBeUndone && invertEntry(entry)) || entry.operation
  const refusal: OperationError = { code: 'offline', message: t('The page was closed before it was saved.') }
  return { id, state: 'refused', operation, refusal, mayBeDone }
}
