import { type Batch, type BatchResult, countChanges } from '../../../../contract/batches.ts'
import {
  changedNames,
  completeFields,
  type Employee,
  type EmployeeFields,
  emptyFields,
  type FieldName,
  fieldNames,
  fieldOf,
  fieldRules,
  hasSameFields,
  pickFields,
  pickNamed,
  toAsciiEmail,
} from '../../../../contract/employees.ts'
import { newIdempotencyKey } from '../../../backends/idempotency-key.ts'
import { t } from '../../../language/translate.ts'

/** What an attempt has sent with the `key` of its entry. `names`: the fields that its author had changed; all if it is missing. */
export type SentFields = EmployeeFields & {
  key?: string | undefined
  names?: readonly FieldName[] | undefined
}

export interface Draft {
  fields: EmployeeFields
  /** The record being edited, as the user has seen it; null for a new record. */
  editing: Employee | null
  /** The record as others have changed it since, as it was last in the book. */
  seen?: Employee
  /** What the user had typed in fields whose conflict is decided. */
  typed?: Partial<EmployeeFields>
  /** The idempotency key of an earlier attempt that may have succeeded. The next attempt must use the same key. */
  sentAs?: string
  /** What the user's own attempts may have saved since; of a new record what they have sent, unknown in a draft of an older version. */
  sent?: readonly SentFields[] | undefined
  /** The run that the draft is part of, or that has ended and is still shown. */
  run?: Run
}

export interface Run {
  /** As they were at the start, in the order of the table. */
  records: readonly Employee[]
  /** The index of the record in the form, or of the first one while the form is still empty; after the end the number of records. */
  position: number
  /** The password that the form has suggested for this record. */
  suggested: string
  /** The updates that the run has submitted. */
  changes: readonly { before: Employee; employee: Employee }[]
}

export const isRunning = ({ run }: Draft) => run !== undefined && run.position < run.records.length

export const emptyDraft: Draft = { fields: emptyFields, editing: null }

export function draftFromEmployee(employee: Employee): Draft {
  return { fields: pickFields(employee), editing: employee }
}

/** Whether the draft has input that would be lost with it. */
export function hasUnsavedInput({ fields, editing, sentAs }: Draft): boolean {
  return sentAs !== undefined || !hasSameFields(fields, editing ?? emptyFields)
}

export type Operation = RecordOperation | BatchOperation

/** The outbox, as far as an addition needs it whose record the user may have changed since: only the service tells which one it is. */
export interface OwnChanges {
  entries(): readonly (Partial<RecordChange> & {
    id: string
    state: string
    operation?: Operation
    refusal?: { code: string }
  })[]
  /** The last work of each queue, until it has ended: see `getQueueKey`. */
  queues: ReadonlyMap<string, Promise<void>>
  /** Bases what follows a change that was made on the record as it is `before`. */
  takeOut(change: { id: string; state: 'updated' } & RecordChange): void
}

export interface RecordChange {
  before: Employee
  employee: Employee
}

/**
 * `before` is the record as the user saw it. The service merges an update with what others have changed since. `sent`: see `Draft`.
 */
export type RecordOperation =
  /** Every attempt to add the record has the same idempotency key. `mayExist`: one that has `sent` other fields may have succeeded. */
  | { kind: 'add'; fields: EmployeeFields; key: string; mayExist?: boolean; sent?: Draft['sent'] }
  /** `isUndo`: it takes back an earlier update, and can't be undone itself. */
  | ({ kind: 'update'; isUndo?: true; sent?: Draft['sent'] } & RecordChange)
  | { kind: 'remove'; employee: Employee; before?: undefined; sent?: Draft['sent'] }
  /** `before` is set if the record was deleted while the user edited it. */
  | { kind: 'restore'; employee: Employee; before?: Employee; sent?: Draft['sent'] }

/** Changes of many records, sent together. Every attempt to send them has the same idempotency key. */
export type BatchOperation =
  | { kind: 'import'; batch: Batch; key: string }
  | { kind: 'undo-import'; batch: Batch; key: string }
  | { kind: 'delete-many'; batch: Batch; key: string }
  | { kind: 'restore-many'; batch: Batch; key: string }

export function isBatch(operation: Operation): operation is BatchOperation {
  return 'batch' in operation
}

/** Deletes records in one batch. One that somebody else has changed meanwhile stays. */
export const deleteMany = (records: readonly Employee[]): BatchOperation => ({
  kind: 'delete-many',
  batch: {
    add: [],
    update: [],
    remove: records.map(toCompleteRecord),
  },
  key: newIdempotencyKey(),
})

/** Takes deletions back in one batch. A record that somebody else has restored, and changed, stays as it is. */
export const restoreMany = (records: readonly Employee[]) =>
  ({
    kind: 'restore-many',
    batch: { add: [], update: [], remove: [], restore: records.map(toCompleteRecord) },
    key: newIdempotencyKey(),
  }) satisfies BatchOperation

const toCompleteRecord = (record: Employee) => ({ id: record.id, ...completeFields(record) })

export function getRecord(operation: RecordOperation): EmployeeFields {
  return operation.kind === 'add' ? operation.fields : operation.employee
}

/** `isDeleted`: the record being edited is no longer in the book. */
export function operationFromDraft(
  { fields: typed, editing, sentAs, sent }: Draft,
  isDeleted = false,
): RecordOperation {
  const fields = pickFields(typed)
  for (const name of fieldNames) {
    const text = fields[name]
    if (text && fieldRules[name].isEmail) fields[name] = toAsciiEmail(text)
  }
  if (editing)
    return {
      kind: isDeleted ? 'restore' : 'update',
      employee: { id: editing.id, ...fields },
      before: editing,
      ...(sent && { sent }),
    }
  return sentAs
    ? { kind: 'add', fields, key: sentAs, mayExist: true, sent }
    : { kind: 'add', fields, key: newIdempotencyKey() }
}

/** Returns the draft to edit an operation in, which was sent with a key. `mayExist`: an add may have succeeded without a response. */
export function draftFromOperation(operation: RecordOperation, mayExist: boolean, sentWith?: string): Draft {
  if (operation.kind === 'add') {
    const { fields, key, sent = operation.mayExist ? [emptyFields] : [] } = operation
    return {
      fields,
      editing: null,
      ...(mayExist || operation.mayExist
        ? { sentAs: key, sent: [...sent, { ...fields, key: sentWith }] }
        : {}),
    }
  }
  const { employee, before = employee, sent = [] } = operation
  return {
    fields: pickFields(employee),
    editing: before,
    ...(mayExist || sent.length > 0 ? { sent: [...sent, toSent({ before, employee }, sentWith)] } : {}),
  }
}

export const toSent = ({ before, employee }: RecordChange, key?: string): SentFields => ({
  ...employee,
  key,
  names: changedNames(before, employee),
})

/** Returns a function that tells whether the author of an attempt had changed a field. */
export const isSent =
  (name: FieldName) =>
  ({ names = fieldNames }: SentFields) =>
    names.includes(name)

/** Returns what the user has seen, with what their own attempts have saved since of the record as it is now. */
export function seeSent<T extends EmployeeFields>(seen: T, sent: Draft['sent'], current: EmployeeFields): T {
  const isSaved = (name: FieldName) =>
    sent?.filter(isSent(name)).some((version) => fieldOf(version, name) === fieldOf(current, name))
  return sent ? { ...seen, ...pickNamed(fieldNames.filter(isSaved), current) } : seen
}

/** Errors after which an operation is sent again: when the connection or the session is restored, or the service is not busy. */
export const isTransient = (code: string) => code === 'offline' || code === 'not-signed-in' || code === 'busy'

/** Operations with the same key are sent in order: those on one record; and all adds, because their order is the list's. */
export function getQueueKey(operation: Operation): string {
  return operation.kind === 'add' || isBatch(operation) ? 'add' : operation.employee.id
}

/**
 * Decides what to do with an operation that waits to be sent again: `send` it; treat it as `done`, because the record to
 * remove no longer exists; or `ask` the user, because somebody else has changed that record. Imports always ask.
 */
export function decideResend(operation: Operation, book: readonly Employee[]): 'send' | 'done' | 'ask' {
  if (operation.kind === 'import') return 'ask'
  if (operation.kind !== 'remove') return 'send'
  const { employee, sent } = operation
  const current = book.find(({ id }) => id === employee.id)
  if (!current) return 'done'
  return hasSameFields(current, seeSent(employee, sent, current)) ? 'send' : 'ask'
}

/** "3 records". */
export const formatRecordCount = (count: number): string =>
  t('{count, plural, one {# record} other {# records}}', { count })

/** The size of an import, such as "3 records". */
export const describeBatchSize = (batch: Batch) => formatRecordCount(countChanges(batch))

/** The result of an import, such as "2 records imported, 1 changed". */
export function describeResult({ update }: Batch, { ids, kept }: BatchResult): string {
  const [imported, changed] = [ids.length, update.length - kept.length]
  if (imported === 0 && changed === 0) return t('Nothing imported')
  if (imported === 0)
    return t('{changed, plural, one {# record changed} other {# records changed}}', { changed })
  if (changed === 0)
    return t('{imported, plural, one {# record imported} other {# records imported}}', { imported })
  return t(
    '{imported, plural, one {# record imported} other {# records imported}}, {changed, plural, other {# changed}}',
    { imported, changed },
  )
}

/** A sentence about the records that were not changed because of conflicts; empty if there are none. */
export function describeConflicts(count: number): string {
  if (count === 0) return ''
  return t(
    '{count, plural, one {# record left alone because someone changed it in the meantime.} other {# records left alone because someone changed them in the meantime.}}',
    { count },
  )
}
