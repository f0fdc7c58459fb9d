import type { Batch } from '../../../contract/batches.ts'
import type { Employee } from '../../../contract/employees.ts'
import { newIdempotencyKey } from '../../backends/idempotency-key.ts'
import type { AddEmployeeArgs } from '../sync/book-slice.ts'
import { displayName } from './display-name.ts'
import type { Draft } from './draft.ts'

/** One thing a person asked to be done to the register. */
export type Operation = RecordOperation | BatchOperation

export type RecordOperation =
  | ({ kind: 'add' } & AddEmployeeArgs)
  /** `before`: the record as the person saw it, to notice a colleague's change in between. */
  | { kind: 'update'; employee: Employee; before: Employee }
  | { kind: 'remove'; employee: Employee }
  /** `before`: what it is put back over, where a person had edited it: see `update`. */
  | { kind: 'restore'; employee: Employee; before?: Employee }

/** An import, or what takes one back; `key` names the intention, however often it is sent. */
export type BatchOperation =
  | { kind: 'import'; batch: Batch; key: string }
  | { kind: 'undo-import'; batch: Batch; key: string }

export function isBatch(operation: Operation): operation is BatchOperation {
  return operation.kind === 'import' || operation.kind === 'undo-import'
}

export function operationFromDraft({ fields, editing, sentAs }: Draft): RecordOperation {
  if (editing) return { kind: 'update', employee: { id: editing.id, ...fields }, before: editing }
  return sentAs
    ? { kind: 'add', fields, key: sentAs, mayExist: true }
    : { kind: 'add', fields, key: newIdempotencyKey() }
}

/** The draft that takes an operation back into the form; `mayExist` where it may have got through. */
export function draftFromOperation(operation: RecordOperation, mayExist: boolean): Draft {
  if (operation.kind === 'add') {
    const { fields, key } = operation
    return { fields, editing: null, ...(mayExist || operation.mayExist ? { sentAs: key } : {}) }
  }
  const { id, ...fields } = operation.employee
  return { fields, editing: operation.kind === 'update' ? operation.before : { id, ...fields } }
}

export function getEmployeeName(operation: RecordOperation): string {
  return displayName(operation.kind === 'add' ? operation.fields.eName : operation.employee.eName)
}

/** What must be sent in order: all work on one record, and all adds, whose order is the register's. */
export function getQueueKey(operation: Operation): string {
  return operation.kind === 'add' || isBatch(operation) ? 'add' : operation.employee.id
}
