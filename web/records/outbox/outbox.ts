import type { Batch, BatchResult } from '../../../contract/batches.ts'
import type { Employee } from '../../../contract/employees.ts'
import { invertBatch } from '../../backends/batch.ts'
import { newIdempotencyKey } from '../../backends/idempotency-key.ts'
import type { BatchOptions } from '../../backends/ports.ts'
import { type Draft, emptyDraft, hasUnsavedInput } from './draft.ts'
import type { EncryptedStore } from './encrypted-store.ts'
import {
  adaptFailedOperation,
  conflictError,
  createResultEntry,
  draftFromEntry,
  type Entry,
  findExpiredUndo,
  isAlreadyRestored,
  isTransient,
  isUnsaved,
  isWaiting,
  type OperationError,
  toOperationError,
  undoFromFailedRestore,
  unfinishedError,
} from './entry.ts'
import { decideResend, getQueueKey, isBatch, type Operation } from './operation.ts'
import { OutboxStorage } from './outbox-storage.ts'
import { SerialQueues } from './serial-queues.ts'

export interface OutboxOptions {
  encryptedStore: EncryptedStore
  /** Executes an operation, and returns the result if it is a batch. Rejects with a `code` and a `message`. */
  send(operation: Operation, options?: BatchOptions): Promise<BatchResult | undefined>
  /** Returns the current records. */
  getBook(): Employee[]
}

/**
 * Stores each change before it is sent, and deletes it when the service has acknowledged it. A failed operation stays as
 * an entry that the user can retry or discard and, if it holds form content, edit. Unless it is an import, it is retried
 * automatically if the connection or the session was lost, or the service was busy.
 */
export class Outbox {
  readonly #send: OutboxOptions['send']
  readonly #getBook: OutboxOptions['getBook']
  readonly #storage: OutboxStorage
  readonly #queues = new SerialQueues()
  readonly #completionListeners = new Set<(operation: Operation) => void>()
  #form = emptyDraft

  constructor({ encryptedStore, send, getBook }: OutboxOptions) {
    this.#send = send
    this.#getBook = getBook
    this.#storage = new OutboxStorage(encryptedStore)
  }

  // Arrow functions, because `useSyncExternalStore` calls them without `this`.
  readonly entries = (): readonly Entry[] => this.#storage.getAll()
  readonly subscribe = (listener: () => void): (() => void) => this.#storage.subscribe(listener)

  /** Calls the listener after each operation that succeeds. Returns a function that unsubscribes. */
  onComplete(listener: (operation: Operation) => void): () => void {
    this.#completionListeners.add(listener)
    return () => void this.#completionListeners.delete(listener)
  }

  /** False if unsaved changes would be lost when the page is closed. */
  get isDurable(): boolean {
    return this.#storage.isDurable
  }

  /** Sends an operation. Resolves when it has succeeded, or has failed and is an entry. */
  submit(operation: Operation): Promise<void> {
    return this.#enqueue(newIdempotencyKey(), operation)
  }

  /** Imports a batch, and returns the entry that results from it: none if it was cancelled. */
  async importBatch(batch: Batch, options: BatchOptions): Promise<Entry | undefined> {
    const id = newIdempotencyKey()
    await this.#enqueue(id, { kind: 'import', batch, key: newIdempotencyKey() }, options)
    return this.#storage.find(id)
  }

  /** Sends a failed operation again, and returns the entry that results from it. */
  async retry(id: string, options?: BatchOptions): Promise<Entry | undefined> {
    const entry = this.#storage.find(id)
    if (entry?.state !== 'refused') return entry
    const { operation, refusal } = entry
    const isConfirmed = isBatch(operation) || refusal.code === conflictError.code
    if (!isConfirmed && decideResend(operation, this.#getBook()) === 'ask') {
      await this.#storage.put({ ...entry, refusal: conflictError })
      return this.#storage.find(id)
    }
    const wasDeletedByOther = operation.kind === 'update' && refusal.code === 'not-found'
    const next = wasDeletedByOther
      ? ({ kind: 'restore', employee: operation.employee, before: operation.before } as const)
      : operation
    await this.#enqueue(id, next, options)
    return this.#storage.find(id)
  }

  /** Undoes a delete or an import. */
  async undo(id: string): Promise<void> {
    const entry = this.#storage.find(id)
    if (entry?.state === 'deleted') await this.#enqueue(id, { kind: 'restore', employee: entry.employee })
    if (entry?.state === 'imported') {
      const batch = invertBatch(entry.batch, entry.result)
      await this.#enqueue(id, { kind: 'undo-import', batch, key: newIdempotencyKey() })
    }
  }

  discard(id: string): Promise<void> {
    return this.#storage.remove([id])
  }

  /** Discards all entries about changes that are saved, so that none of them can be undone. */
  dismissDone(): Promise<void> {
    return this.#discardAll(this.entries().filter((entry) => !isUnsaved(entry)))
  }

  /**
   * Removes an entry and returns it as a draft for the form. The form's current draft becomes an entry. Returns null if
   * the entry can't be edited. A delete whose undo failed can be undone again. Writes run in this order, so a crash between them
   * loses no input.
   */
  takeForEditing(id: string, currentDraft: Draft): Draft | null {
    const entry = this.#storage.find(id)
    const draft = draftFromEntry(entry)
    if (!draft) return null
    void this.stashDraft(currentDraft)
    void this.saveForm(draft)
    const undo = undoFromFailedRestore(entry)
    void (undo ? this.#storage.put(undo) : this.discard(id))
    return draft
  }

  /** Adds a draft as an entry, because another draft replaces it in the form. Ignores a draft without unsaved input. */
  async stashDraft(draft: Draft): Promise<void> {
    if (hasUnsavedInput(draft)) await this.#storage.put({ id: newIdempotencyKey(), state: 'draft', draft })
  }

  /** Sets the form's draft, to count it. Does not store it. */
  setForm(draft: Draft): void {
    this.#form = draft
  }

  /** Sets the form's draft and stores it, so that a reload can restore it. */
  saveForm(draft: Draft): Promise<void> {
    this.setForm(draft)
    return this.#storage.saveForm(draft)
  }

  /** The number of entries that the service does not have, plus 1 for a form with unsaved input. */
  countUnsaved(): number {
    return this.entries().filter(isUnsaved).length + (hasUnsavedInput(this.#form) ? 1 : 0)
  }

  /** What `countUnsaved` is in all other tabs of this user, as far as they are stored. 0 if the storage can't be read. */
  countUnsavedElsewhere(): Promise<number> {
    return this.#storage.countUnsavedElsewhere().catch(() => 0)
  }

  /** Loads the entries of earlier pages, and returns the last draft of their forms. Rejects if they can't be read. */
  async load(): Promise<Draft | null> {
    const forms = await this.#storage.load()
    await this.#discardAll(findExpiredUndo(this.entries()))
    const lastForm = forms.at(-1)?.draft ?? null
    if (lastForm) await this.saveForm(lastForm)
    for (const { draft } of forms.slice(0, -1)) await this.stashDraft(draft)
    for (const form of forms) await this.#storage.deleteForm(form)
    return lastForm
  }

  /**
   * Sends the operations again that failed because the connection or the session was lost, and those that the service was
   * too busy for, unless it asked to wait longer. Call it when the records are loaded. Entries do not change to `sending`,
   * so the page does not move if an attempt fails again. Resolves when all have settled.
   */
  async resendWaiting(): Promise<void> {
    await Promise.all(this.entries().map((entry) => this.#resend(entry)))
  }

  /** Resolves when no operation is being sent, or after the timeout. */
  waitUntilIdle(timeoutMs: number): Promise<void> {
    return this.#queues.waitUntilIdle(timeoutMs)
  }

  /** Deletes all entries, also from the encrypted store. */
  wipe(): Promise<void> {
    return this.#storage.wipe()
  }

  /** Stores an operation, and sends it after all earlier operations of its queue. */
  #enqueue(id: string, operation: Operation, options?: BatchOptions): Promise<void> {
    const stored = this.#storage.put({ id, state: 'sending', operation, since: Date.now() })
    return this.#queues.run(getQueueKey(operation), async () => {
      await stored
      await this.#execute(id, operation, options)
    })
  }

  #resend(entry: Entry): Promise<void> | undefined {
    if (entry.state !== 'refused' || !isTransient(entry.refusal.code)) return
    const { id, operation, refusal } = entry
    if (refusal.retryAt && refusal.retryAt > Date.now()) return
    switch (decideResend(operation, this.#getBook())) {
      case 'send':
        return this.#queues.run(getQueueKey(operation), () => this.#execute(id, operation))
      case 'done':
        return this.#complete(id, operation)
      case 'ask':
        return this.#storage.put({ ...entry, refusal: isBatch(operation) ? unfinishedError : conflictError })
    }
  }

  async #execute(id: string, operation: Operation, options?: BatchOptions): Promise<void> {
    if (!this.#isCurrent(id, operation)) return
    const refusal = this.#findWaitingBefore(id, operation)
    if (refusal) return this.#storage.put({ id, state: 'refused', operation, refusal })
    let result: BatchResult | undefined
    try {
      result = await this.#send(operation, options)
    } catch (error) {
      if (this.#isCurrent(id, operation)) await this.#fail(id, operation, error)
      return
    }
    await this.#complete(id, operation, result)
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

  /** False if the entry was removed or its operation was replaced in the meantime. */
  #isCurrent(id: string, operation: Operation): boolean {
    const entry = this.#storage.find(id)
    return entry !== undefined && 'operation' in entry && entry.operation === operation
  }

  async #fail(id: string, operation: Operation, error: unknown): Promise<void> {
    const refusal = toOperationError(error)
    if (isAlreadyRestored(operation, refusal)) await this.#complete(id, operation)
    else if (refusal.code === 'cancelled') await this.discard(id)
    else await this.#storage.put({ id, state: 'refused', ...adaptFailedOperation(operation, refusal) })
  }

  async #complete(id: string, operation: Operation, result?: BatchResult): Promise<void> {
    const resultEntry = createResultEntry(id, operation, result)
    if (resultEntry) await this.#storage.put(resultEntry)
    else await this.discard(id)
    await this.#discardAll(findExpiredUndo(this.entries()))
    for (const listener of this.#completionListeners) listener(operation)
  }

  #discardAll(entries: readonly Entry[]): Promise<void> {
    return this.#storage.remove(entries.map(({ id }) => id))
  }
}
