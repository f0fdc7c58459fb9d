import type { Batch } from '../../../../contract/batches.ts'
import { type Employee, revertFields } from '../../../../contract/employees.ts'
import { backOff } from '../../../backends/backoff.ts'
import { invertBatch } from '../../../backends/batch.ts'
import { newIdempotencyKey } from '../../../backends/idempotency-key.ts'
import type { BatchOptions, ServiceError } from '../../../backends/ports.ts'
import type { ErrorDetails, Outcome } from '../book/book-slice.ts'
import { decideResend, getQueueKey, isBatch, type Operation, restoreMany } from '../book/operation.ts'
import type { EncryptedStore } from './encrypted-store.ts'
import {
  adaptFailedOperation,
  applyPendingUpdates,
  createConflictError,
  createResultEntry,
  createUnfinishedError,
  createUnknownError,
  type Entry,
  findContinued,
  findExpiredUndo,
  findUnknown,
  isTooEarly,
  isTransient,
  isWaiting,
  listUndone,
  type OperationError,
  splitOffInvalid,
  toOperationError,
  withoutRestores,
} from './entry.ts'
import { StoredEntries } from './stored-entries.ts'

/** The first retry waits as `backOff` does after this number of failures: 0.5 to 1 s. */
const initialFailures = 2

export interface OutboxOptions {
  encryptedStore: EncryptedStore
  /** Executes an operation. Rejects with a `code` and a `message`. */
  send(operation: Operation, options?: BatchOptions): Promise<Outcome>
  getBook(): Employee[]
}

/**
 * Stores each change before it is sent, and deletes it when the service has acknowledged it. A failed operation stays as
 * an entry that the user can retry or discard and, if it holds form content, edit. Unless it is an import, it is retried
 * automatically if the connection or the session was lost, or the service was busy.
 */
export class Outbox extends StoredEntries {
  readonly #send: OutboxOptions['send']
  readonly #getBook: OutboxOptions['getBook']
  /** The last work of each queue, until it has ended. */
  readonly queues = new Map<string, Promise<void>>()
  readonly #completionListeners = new Set<(operation: Operation) => void>()
  #isEnded = false

  constructor({ encryptedStore, send, getBook }: OutboxOptions) {
    super(encryptedStore)
    this.#send = send
    this.#getBook = getBook
  }

  /** Stores and sends nothing any more. What it is sending has no result. */
  override end(): void {
    this.#isEnded = true
    super.end()
  }

  /** Calls the listener after each operation that succeeds, without records of a batch that were not restored. Returns a function that unsubscribes. */
  onComplete(listener: (operation: Operation) => void): () => void {
    this.#completionListeners.add(listener)
    return () => void this.#completionListeners.delete(listener)
  }

  /** Sends an operation. Resolves when it has succeeded, or has failed and is an entry. */
  submit(operation: Operation): Promise<void> {
    // The page may show the record as it was before the user's own updates, which its undo would take back.
    const employee = operation.kind === 'remove' && applyPendingUpdates(operation.employee, this.entries())
    return this.#enqueue(newIdempotencyKey(), employee ? { kind: 'remove', employee } : operation)
  }

  /** Imports a batch, and returns the entry that results from it: none if it was cancelled. */
  async importBatch(batch: Batch, options: BatchOptions): Promise<Entry | undefined> {
    const id = newIdempotencyKey()
    await this.#enqueue(id, { kind: 'import', batch, key: newIdempotencyKey() }, options)
    return this.find(id)
  }

  /** Sends a failed operation again, and returns the entry that results from it. */
  async retry(id: string, options?: BatchOptions): Promise<Entry | undefined> {
    const entry = this.find(id)
    if (entry?.state !== 'refused') return entry
    const { operation, refusal } = entry
    const isConfirmed = isBatch(operation) || refusal.code === 'conflict'
    if (!isConfirmed && decideResend(operation, this.#getBook()) === 'ask') {
      await this.put({ ...entry, refusal: createConflictError() })
      return this.find(id)
    }
    const wasDeletedByOther = operation.kind === 'update' && refusal.code === 'not-found'
    const next = wasDeletedByOther
      ? ({ kind: 'restore', employee: operation.employee, before: operation.before } as const)
      : operation
    await this.#enqueue(id, next, options)
    return this.find(id)
  }

  async undo(id: string): Promise<void> {
    const entry = this.find(id)
    if (entry?.state === 'deleted') await this.#enqueue(id, { kind: 'restore', employee: entry.employee })
    if (entry?.state === 'updated') {
      const { employee, before } = entry
      const reverted = { id: before.id, ...revertFields(before, employee) }
      await this.#enqueue(id, { kind: 'update', employee: reverted, before: employee, isUndo: true })
    }
    if (entry?.state === 'deleted-many') await this.#enqueue(id, restoreMany(entry.employees))
    if (entry?.state === 'imported') {
      const batch = invertBatch(entry.batch, entry.result)
      await this.#enqueue(id, { kind: 'undo-import', batch, key: newIdempotencyKey() })
    }
  }

  /** Undoes deletes in one batch. */
  async undoDeletes(ids: ReadonlySet<string>): Promise<void> {
    const deleted = this.entries().filter((entry) => entry.state === 'deleted' && ids.has(entry.id))
    const operation = restoreMany(deleted.flatMap(listUndone))
    const id = newIdempotencyKey()
    await this.put({ id, state: 'sending', operation, since: Date.now() })
    await this.discardAll(deleted)
    await this.#runInQueue(operation, () => this.#execute(id, operation))
  }

  /**
   * Sends the operations again that failed because the connection or the session was lost, and those that the service was
   * too busy for, unless it asked to wait longer. Call it when the records are loaded. Entries do not change to `sending`,
   * so the page does not move if an attempt fails again. Resolves when all have settled.
   */
  async resendWaiting(): Promise<void> {
    await Promise.all(this.entries().map((entry) => this.#resend(entry)))
  }

  /**
   * Sends the operations that wait for a connection, and retries those that fail with `offline` or `busy` while connected.
   * The delay between retries grows to 8 s, and is longer if the service asks for it. Stops when the signal is aborted.
   */
  keepSending(signal: AbortSignal): void {
    let isRetrying = false
    const retryUntilSent = async () => {
      if (isRetrying) return
      isRetrying = true
      for (let failures = initialFailures; !signal.aborted && this.entries().some(isWaiting); failures++) {
        await backOff(failures, signal)
        if (!signal.aborted) await this.resendWaiting()
      }
      isRetrying = false
    }
    signal.addEventListener('abort', this.subscribe(retryUntilSent))
    void this.resendWaiting().then(retryUntilSent)
  }

  /** Resolves when no operation is being sent, or after the timeout. */
  async waitUntilIdle(timeoutMs: number): Promise<void> {
    await Promise.race([
      Promise.all(this.queues.values()),
      new Promise((resolve) => setTimeout(resolve, timeoutMs)),
    ])
  }

  /** Stores an operation, and sends it after all earlier operations of its queue. */
  #enqueue(id: string, operation: Operation, options?: BatchOptions): Promise<void> {
    const stored = this.put({ id, state: 'sending', operation, since: Date.now() })
    return this.#runInQueue(operation, async () => {
      await stored
      await this.#execute(id, operation, options)
    })
  }

  /** Runs work after all earlier work of the operation's queue, even if that failed, and concurrently with other queues. */
  #runInQueue(operation: Operation, work: () => Promise<void>): Promise<void> {
    const key = getQueueKey(operation)
    const result = Promise.resolve(this.queues.get(key)).then(work)
    const end = () => void (this.queues.get(key) === ended && this.queues.delete(key))
    const ended = result.then(end, end)
    this.queues.set(key, ended)
    return result
  }

  #resend(entry: Entry): Promise<void> | undefined {
    if (entry.state !== 'refused' || !isTransient(entry.refusal.code)) return
    const { id, operation, refusal } = entry
    if (isTooEarly(refusal)) return
    switch (decideResend(operation, this.#getBook())) {
      case 'send':
        return this.#runInQueue(operation, () => this.#execute(id, operation))
      case 'done':
        return this.#complete(id, operation)
      case 'ask':
        return this.put({
          ...entry,
          refusal: isBatch(operation) ? createUnfinishedError() : createConflictError(),
        })
    }
  }

  async #execute(id: string, operation: Operation, options?: BatchOptions): Promise<void> {
    if (!this.#isCurrent(id, operation)) return
    const refusal = this.#findWaitingBefore(id, operation)
    if (refusal) return this.put({ id, state: 'refused', operation, refusal })
    let outcome: Outcome
    try {
      outcome = await this.#send(operation, options)
    } catch (error) {
      if (this.#isCurrent(id, operation)) await this.#fail(id, operation, error)
      return
    }
    await this.#complete(id, operation, outcome)
  }

  /**
   * Finds the error of an earlier operation of this queue that is sent again later. An operation must not overtake an earlier
   * one on its record, on which it is based. It may overtake those on other records, unless the service is busy: the error
   * may be caused by that one operation.
   */
  #findWaitingBefore(id: string, operation: Operation): OperationError | undefined {
    if (operation.kind === 'import') return undefined
    const key = getQueueKey(operation)
    for (const entry of this.entries()) {
      if (entry.id === id) return undefined
      if (entry.state !== 'refused' || getQueueKey(entry.operation) !== key) continue
      const { code } = entry.refusal
      if ('employee' in operation ? isTransient(code) : code === 'busy' && isWaiting(entry))
        return entry.refusal
    }
  }

  /** False if the outbox has ended, the entry was removed or its operation was replaced in the meantime. */
  #isCurrent(id: string, operation: Operation): boolean {
    const entry = this.find(id)
    return !this.#isEnded && entry !== undefined && 'operation' in entry && entry.operation === operation
  }

  async #fail(id: string, operation: Operation, error: unknown): Promise<void> {
    const refusal = toOperationError(error)
    const invalid = isBatch(operation) && splitOffInvalid(operation, error as Partial<ServiceError>)
    if (invalid) {
      await this.#putFailedRestores([invalid.record], refusal)
      if (invalid.rest.length === 0) return this.discard(id)
      const rest = restoreMany(invalid.rest)
      await this.put({ id, state: 'sending', operation: rest, since: Date.now() })
      return this.#execute(id, rest)
    }
    const retryable = adaptFailedOperation((error as ErrorDetails).instead ?? operation, refusal)
    if (!retryable) await this.#complete(id, operation)
    else if (refusal.code === 'cancelled') await this.discard(id)
    else await this.put({ id, state: 'refused', ...retryable })
  }

  async #complete(id: string, operation: Operation, outcome?: Outcome): Promise<void> {
    const continued = findContinued(this.entries(), operation, outcome)
    const unknown = isBatch(operation) ? findUnknown(operation, outcome) : []
    await this.#putFailedRestores(unknown, createUnknownError())
    const resultEntry = createResultEntry(id, operation, outcome, continued)
    await (resultEntry ? this.put(resultEntry) : this.discard(id))
    await this.discardAll([...findExpiredUndo(this.entries()), ...(continued ? [continued] : [])])
    const completed = isBatch(operation) ? withoutRestores(operation, unknown) : operation
    for (const listener of this.#completionListeners) listener(completed)
  }

  /** Records of a batch that could not be restored become entries of their own, as if each had been restored alone. */
  async #putFailedRestores(records: readonly Employee[], refusal: OperationError): Promise<void> {
    for (const employee of records) {
      const failed = adaptFailedOperation({ kind: 'restore', employee }, refusal)
      if (failed) await this.put({ id: newIdempotencyKey(), state: 'refused', ...failed })
    }
  }
}
