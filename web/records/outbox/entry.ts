import type { Batch, BatchResult } from '../../../contract/batches.ts'
import { type Employee, pickFields } from '../../../contract/employees.ts'
import { newIdempotencyKey } from '../../backends/idempotency-key.ts'
import type { ServiceErrorCode } from '../../backends/ports.ts'
import type { Draft } from './draft.ts'
import { draftFromOperation, isBatch, type Operation } from './operation.ts'

/** Why an operation was not carried out. */
export interface OperationError {
  code: ServiceErrorCode | 'changed-meanwhile' | 'unfinished'
  message: string
}

/** What the outbox holds of one thing that was done, or typed. */
export type Entry =
  /** On its way; `since` is when it was sent, in ms since 1970. */
  | { id: string; state: 'sending'; operation: Operation; since: number }
  /** Not saved. Of some refusals the outbox sends it again by itself: see `waitsForLine` and `resume`. */
  | { id: string; state: 'refused'; operation: Operation; refusal: OperationError }
  /** Saved; a delete that can be taken back. */
  | { id: string; state: 'deleted'; employee: Employee }
  /** Saved; an import that can be taken back. */
  | { id: string; state: 'imported'; batch: Batch; result: BatchResult }
  /** An import was taken back, but for as many records as others have changed since. */
  | { id: string; state: 'undone'; kept: number }
  /** What stood in the form when something else was taken into it. */
  | { id: string; state: 'draft'; draft: Draft }

/** Whether an entry holds something that the service has not. */
export function isUnsaved({ state }: Entry): boolean {
  return state === 'sending' || state === 'refused' || state === 'draft'
}

/** Whether an entry is sent by itself as soon as the line lets it. An import never is, behind a person's back. */
export function isWaitingForConnection(entry: Entry): boolean {
  return entry.state === 'refused' && entry.refusal.code === 'offline' && entry.operation.kind !== 'import'
}

export type EntryInState<S extends Entry['state']> = Extract<Entry, { state: S }>

/** Refusals that pass by themselves, so that the operation is sent again when the line or the session is back. */
export const isTransient = (code: OperationError['code']) => code === 'offline' || code === 'not-signed-in'

/** After these it is not known whether the operation was carried out, or it may just be on its way again. */
const isUncertain = (code: OperationError['code']) =>
  isTransient(code) || code === 'server-error' || code === 'storage-unavailable'

/** What there is to say of an operation that was carried out, and to take it back with. */
export function createResultEntry(
  id: string,
  operation: Operation,
  result: BatchResult | undefined,
): EntryInState<'deleted' | 'imported' | 'undone'> | null {
  if (operation.kind === 'remove') return { id, state: 'deleted', employee: operation.employee }
  if (!isBatch(operation) || !result) return null
  if (operation.kind === 'import') return { id, state: 'imported', batch: operation.batch, result }
  return result.kept.length > 0 ? { id, state: 'undone', kept: result.kept.length } : null
}

export const conflictError: OperationError = {
  code: 'changed-meanwhile',
  message: 'Someone else has changed this record meanwhile.',
}

/** An import is never sent behind a person's back. */
export const unfinishedError: OperationError = {
  code: 'unfinished',
  message: 'It was not finished, and waits for you.',
}

/**
 * How an operation that was refused goes on. A record that was nowhere to be put back to can only be added. One that is
 * there again was put back by somebody else: what was typed for it asks to take that one's place.
 */
export function adaptFailedOperation(
  operation: Operation,
  refusal: OperationError,
): Pick<EntryInState<'refused'>, 'operation' | 'refusal'> {
  if (operation.kind !== 'restore') return { operation, refusal }
  const { employee, before } = operation
  if (refusal.code === 'not-found') {
    return { operation: { kind: 'add', fields: pickFields(employee), key: newIdempotencyKey() }, refusal }
  }
  const isRestoredByOther = refusal.code === 'id-in-use' && before
  return isRestoredByOther
    ? { operation: { kind: 'update', employee, before }, refusal: conflictError }
    : { operation, refusal }
}

/** Whether a refusal says that what was asked for is so already: who only wants a record back has it. */
export function isAlreadyRestored(operation: Operation, { code }: OperationError): boolean {
  return operation.kind === 'restore' && !operation.before && code === 'id-in-use'
}

/** What of an entry can be edited in the form. */
export function draftFromEntry(entry: Entry | undefined): Draft | null {
  if (entry?.state === 'draft') return entry.draft
  if (entry?.state !== 'refused' || isBatch(entry.operation)) return null
  return draftFromOperation(entry.operation, isUncertain(entry.refusal.code))
}

export function toOperationError(error: unknown): OperationError {
  const { code = 'server-error', message = 'Something went wrong.' } = error as Partial<OperationError>
  return { code, message }
}

/** An entry as it stands after a reload: nobody knows how a sending ended that the reload has cut short. */
export function markInterrupted(entry: Entry): Entry {
  if (entry.state !== 'sending') return entry
  const refusal: OperationError = { code: 'offline', message: 'The page was closed before it was saved.' }
  return { id: entry.id, state: 'refused', operation: entry.operation, refusal }
}
