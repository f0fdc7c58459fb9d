import type { Batch } from '../../../contract/batches.ts'
import { type Employee, type EmployeeFields, hasSameFields } from '../../../contract/employees.ts'
import { newIdempotencyKey } from '../../backends/idempotency-key.ts'
import type { Draft } from './draft.ts'

/** A change that a user has requested. */
export type Operation = RecordOperation | BatchOperation

/** `before` is the record as the user saw it. The service merges an update with what others have changed since. */
export type RecordOperation =
  /** Every attempt to add the record has the same idempotency key. `mayExist`: one with other fields may have succeeded. */
  | { kind: 'add'; fields: EmployeeFields; key: string; mayExist?: boolean }
  /** `isUndo`: it takes back an earlier update, and can't be undone itself. */
  | { kind: 'update'; employee: Employee; before: Employee; isUndo?: true }
  | { kind: 'remove'; employee: Employee }
  /** `before` is set if the record was deleted while the user edited it. */
  | { kind: 'restore'; employee: Employee; before?: Employee }

/** An import, or the undo of one. Every attempt to send it has the same idempotency key. */
export type BatchOperation =
  | { kind: 'import'; batch: Batch; key: string }
  | { kind: 'undo-import'; batch: Batch; key: string }

export function isBatch(operation: Operation): operation is BatchOperation {
  return operation.kind === 'import' || operation.kind === 'undo-import'
}

/** Returns the record that an operation adds, changes, removes or restores. */
export function getRecord(operation: RecordOperation): EmployeeFields {
  return operation.kind === 'add' ? operation.fields : operation.employee
}

export function operationFromDraft({ fields, editing, sentAs }: Draft): RecordOperation {
  if (editing) return { kind: 'update', employee: { id: editing.id, ...fields }, before: editing }
  return sentAs
    ? { kind: 'add', fields, key: sentAs, mayExist: true }
    : { kind: 'add', fields, key: newIdempotencyKey() }
}

/** Returns the draft to edit an operation in. `mayExist`: an add may have succeeded without a response. */
export function draftFromOperation(operation: RecordOperation, mayExist: boolean): Draft {
  if (operation.kind === 'add') {
    const { fields, key } = operation
    return { fields, editing: null, ...(mayExist || operation.mayExist ? { sentAs: key } : {}) }
  }
  const { id: _, ...fields } = operation.employee
  const before = operation.kind === 'remove' ? undefined : operation.before
  return { fields, editing: before ?? operation.employee }
}

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
  const { employee } = operation
  const current = book.find(({ id }) => id === employee.id)
  if (!current) return 'done'
  return hasSameFields(current, employee) ? 'send' : 'ask'
}
