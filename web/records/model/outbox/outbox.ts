import type { Batch } from '../../../../contract/batches.ts'
import type { Employee } from '../../../../contract/employees.ts'
import { backOff } from '../../../backends/backoff.ts'
import { newIdempotencyKey } from '../../../backends/idempotency-key.ts'
import type { BatchOptions, ServiceError } from '../../../backends/ports.ts'
import type { ErrorDetails, Outcome } from '../book/book-slice.ts'
import {
  decideResend,
  getQueueKey,
  isBatch,
  isTransient,
  type Operation,
  restoreMany,
} from '../book/operation.ts'
import type { EncryptedStore } from './encrypted-store.ts'
import {
  adaptFailedOperation,
  applyPendingUpdates,
  canUndo,
  createConflictError,
  createResultEntry,
  createUnfinishedError,
  createUnknownError,
  type Entry,
  findContinued,
  findExpiredUndo,
  findUnknown,
  invertEntry,
  isTooEarly,
  isWaiting,
  keepPending,
  listUndone,
  type OperationError,
  splitOffInvalid,
  toOperationError,
  withoutRestores,
  withSentDrafts,
} from './entry.ts'
import { StoredEntries } from './stored-entries.ts'

/** The first retry waits as `backOff` does after this number of failures: 0.5 to 1 s. */
const initialFailures = 2

export interface OutboxOptions {
  encryptedStore: EncryptedStore
  /** Executes an operation. Each attempt of an entry has the same key. Rejects with a `code` and a `message`. */
  send(operation: Operation, options?: BatchOptions, key?: string): Promise<Outcome>
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
  isEnded = false
  /** Whether there is a connection: then an operation that fails without an answer may have arrived. */
  #isLive = false

  constructor({ encryptedStore, send, getBook }: OutboxOptions) {
    super(encryptedStore)
    this.#send = send
    this.#getBook = getBook
  }

  /** Stores and sends nothing any more. What it is sending has no result. */
  override end(): void {
    this.isEnded = true
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

  /** Undoes what was done. An operation that waits is taken back instead, unless the service may have executed it. */
  async undo(id: string): Promise<void> {
    const entry = await this.settle(id)
    if (entry?.state === 'refused' && !entry.mayBeDone) await this.discard(id)
    else if (entry && (entry.state === 'refused' || canUndo(entry))) {
      const operation = invertEntry(entry)
      if (!operation) return
      // What is being sent of the record arrives before, and what waits may have. What that has changed again stays.
      const isSending = this.queues.has(getQueueKey(operation))
      if (!isSending) this.takeOut(entry)
      const mayPrecede = (other: Entry) => other !== entry && (isSending || this.#mayBeDone(other.id))
      await this.#enqueue(id, keepPending(operation, this.entries().filter(mayPrecede)))
    }
  }

  /** Returns the entry once nobody is sending its operation. Until then it says that it will be undone. */
  async settle(id: string): Promise<Entry | undefined> {
    const entry = this.find(id)
    if (entry?.state === 'sending') void this.put({ ...entry, isToBeUndone: true })
    if (entry && 'operation' in entry) await this.queues.get(getQueueKey(entry.operation))
    return this.find(id)
  }

  /** Undoes deletes in one batch. */
  async undoDeletes(ids: ReadonlySet<string>): Promise<void> {
    const deleted = this.entries().filter((entry) => entry.state === 'deleted' && ids.has(entry.id))
    const sent = this.#enqueue(newIdempotencyKey(), restoreMany(deleted.flatMap(listUndone)))
    await this.discardAll(deleted)
    await sent
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
    this.#isLive = true
    signal.addEventListener('abort', () => {
      this.#isLive = false
    })
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
  #enqueue(id: string, submitted: Operation, options?: BatchOptions): Promise<void> {
    const operation = withSentDrafts(submitted, this.entries())
    const mayBeDone = this.#isLive || this.#mayBeDone(id)
    const stored = this.put({ id, state: 'sending', operation, since: Date.now(), mayBeDone })
    return this.#runInQueue(operation, async () => {
      await stored
      await this.#execute(id, operation, options)
    })
  }

  /** Whether an earlier attempt may have succeeded; `isLive`: whether the present one, of an entry that is `sending`, does not count. */
  #mayBeDone(id: string, isLive = true): boolean {
    const entry = this.find(id)
    return (entry?.state === 'refused' || (entry?.state === 'sending' && !isLive)) && !!entry.mayBeDone
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
    if (refusal) return this.put({ id, state: 'refused', operation, refusal, mayBeDone: this.#mayBeDone(id) })
    const isLive = this.#isLive
    let outcome: Outcome
    try {
      outcome = await this.#send(operation, options, id)
    } catch (error) {
      if (this.#isCurrent(id, operation)) await this.#fail(id, operation, error, isLive)
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
    return !this.isEnded && entry !== undefined && 'operation' in entry && entry.operation === operation
  }

  async #fail(id: string, operation: Operation, error: unknown, wasLive: boolean): Promise<void> {
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
    else {
      const isLost = wasLive && refusal.code === 'offline'
      const mayBeDone = isLost || this.#mayBeDone(id, wasLive)
      await this.put({ id, state: 'refused', ...retryable, mayBeDone })
    }
  }

  async #complete(id: string, operation: Operation, outcome?: Outcome): Promise<void> {
    const continued = findContinued(this.entries(), operation, outcome)
    const unknown = isBatch(operation) ? findUnknown(operation, outcome) : []
    await this.#putFailedRestores(unknown, createUnknownError())
    const resultEntry = createResultEntry(id, operation, outcome, continued)
    await (resultEntry ? this.put(resultEntry) : this.discardAll([{ id }]))
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
