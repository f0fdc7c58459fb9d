import type { Batch, BatchResult } from '../../../contract/batches.ts'
import { type Employee, hasSameFields } from '../../../contract/employees.ts'
import { invertBatch } from '../../backends/batch.ts'
import { newIdempotencyKey } from '../../backends/idempotency-key.ts'
import type { BatchOptions } from '../../backends/ports.ts'
import { type Draft, hasUnsavedInput } from './draft.ts'
import type { EncryptedStore } from './encrypted-store.ts'
import {
  adaptFailedOperation,
  conflictError,
  createResultEntry,
  draftFromEntry,
  type Entry,
  type EntryInState,
  isAlreadyRestored,
  isTransient,
  markInterrupted,
  toOperationError,
  unfinishedError,
} from './entry.ts'
import { getQueueKey, isBatch, type Operation } from './operation.ts'

export interface OutboxOptions {
  encryptedStore: EncryptedStore
  /** Carries an operation out, and answers what came of a batch; rejects with a `code` and a `message`. */
  send(operation: Operation, options?: BatchOptions): Promise<BatchResult | undefined>
  /** The register as the page knows it now. */
  getBook(): Employee[]
}

export type Outbox = ReturnType<typeof createOutbox>

/** More than this at once are not for undoing one by one. */
const maxUndoEntries = { deleted: 5, imported: 3 }
const formPrefix = 'form-'

/**
 * Holds what a person did until the service has it, in this order: kept in the vault, sent, and only then forgotten.
 * What was refused waits for a decision; what could not be sent waits for the line.
 */
export function createOutbox({ encryptedStore, send, getBook }: OutboxOptions) {
  const formId = formPrefix + newIdempotencyKey()
  let entries: readonly Entry[] = []
  const listeners = new Set<() => void>()
  const completionListeners = new Set<(operation: Operation) => void>()
  /** The last operation of each lane that is on its way. */
  const queues = new Map<string, Promise<void>>()

  function setEntries(next: readonly Entry[]) {
    entries = next
    for (const listener of listeners) listener()
  }

  /** Shows the entry in its place, or behind the others, and keeps it. */
  async function putEntry(entry: Entry) {
    const present = entries.some(({ id }) => id === entry.id)
    setEntries(
      present ? entries.map((other) => (other.id === entry.id ? entry : other)) : [...entries, entry],
    )
    await encryptedStore.put(entry.id, entry)
  }

  async function removeEntry(id: string) {
    setEntries(entries.filter((entry) => entry.id !== id))
    await encryptedStore.delete(id)
  }

  function find(id: string) {
    return entries.find((entry) => entry.id === id)
  }

  /** Keeps an operation, and sends it when its turn has come. */
  function enqueue(id: string, operation: Operation, ...options: [BatchOptions?]): Promise<void> {
    const persisted = putEntry({ id, state: 'sending', operation, since: Date.now() })
    return enqueueSerial(operation, async () => {
      await persisted
      await execute(id, operation, ...options)
    })
  }

  /** Does the work when all before it in the operation's lane has been answered. */
  function enqueueSerial(operation: Operation, work: () => Promise<void>): Promise<void> {
    const queueKey = getQueueKey(operation)
    const turn = Promise.resolve(queues.get(queueKey)).then(work)
    queues.set(queueKey, turn)
    return turn
  }

  async function execute(id: string, operation: Operation, ...options: [BatchOptions?]) {
    if (!isCurrent(id, operation)) return
    let result: BatchResult | undefined
    try {
      result = await send(operation, ...options)
    } catch (error) {
      const refusal = toOperationError(error)
      if (!isCurrent(id, operation)) return
      if (isAlreadyRestored(operation, refusal)) await complete(id, operation)
      else if (refusal.code === 'cancelled') await removeEntry(id)
      else await putEntry({ id, state: 'refused', ...adaptFailedOperation(operation, refusal) })
      return
    }
    await complete(id, operation, result)
  }

  /** An operation was carried out. */
  async function complete(id: string, operation: Operation, result?: BatchResult) {
    const resultEntry = createResultEntry(id, operation, result)
    if (!resultEntry) await removeEntry(id)
    else if (resultEntry.state === 'undone') await putEntry(resultEntry)
    else await addUndoable(resultEntry)
    for (const listener of completionListeners) listener(operation)
  }

  /** False where the person has taken the entry out or discarded it, or it has become another one, meanwhile. */
  function isCurrent(id: string, operation: Operation): boolean {
    const entry = find(id)
    return entry !== undefined && 'operation' in entry && entry.operation === operation
  }

  async function addUndoable(entry: EntryInState<'deleted' | 'imported'>) {
    await putEntry(entry)
    const alike = entries.filter(({ state }) => state === entry.state)
    for (const { id } of alike.slice(0, -maxUndoEntries[entry.state])) await removeEntry(id)
  }

  /** What an operation that has waited comes to now, seeing what colleagues did meanwhile. */
  function decideResend(operation: Operation): 'send' | 'done' | 'ask' {
    if (operation.kind === 'import') return 'ask'
    if (operation.kind === 'undo-import') return 'send'
    if (operation.kind === 'add' || operation.kind === 'restore') return 'send'
    const seen = operation.kind === 'update' ? operation.before : operation.employee
    const present = getBook().find(({ id }) => id === seen.id)
    if (!present) return operation.kind === 'remove' ? 'done' : 'send'
    if (hasSameFields(present, seen)) return 'send'
    return operation.kind === 'update' && hasSameFields(present, operation.employee) ? 'done' : 'ask'
  }

  function resend(entry: Entry): Promise<void> | undefined {
    if (entry.state !== 'refused' || !isTransient(entry.refusal.code)) return
    const { id, operation } = entry
    switch (decideResend(operation)) {
      case 'send':
        return enqueueSerial(operation, () => execute(id, operation))
      case 'done':
        return complete(id, operation)
      case 'ask':
        return putEntry({ ...entry, refusal: isBatch(operation) ? unfinishedError : conflictError })
    }
  }

  async function stashDraft(draft: Draft) {
    if (hasUnsavedInput(draft)) await putEntry({ id: newIdempotencyKey(), state: 'draft', draft })
  }

  async function persistForm(draft: Draft) {
    if (hasUnsavedInput(draft)) await encryptedStore.put(formId, draft)
    else await encryptedStore.delete(formId)
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    /** Tells of each operation that has been carried out, whether a person waits for it or it was sent by itself. */
    onComplete(listener: (operation: Operation) => void) {
      completionListeners.add(listener)
      return () => void completionListeners.delete(listener)
    },

    entries: () => entries,

    /** False where what is unsaved would not outlive the page. */
    get isDurable() {
      return encryptedStore.isDurable
    },

    /** Does what was asked for. Settles when it is done, or waits as an entry. */
    submit(operation: Operation): Promise<void> {
      return enqueue(newIdempotencyKey(), operation)
    },

    /** Imports a batch, and answers the entry that is left of it: none where it was cancelled. */
    async importBatch(batch: Batch, options: BatchOptions): Promise<Entry | undefined> {
      const id = newIdempotencyKey()
      await enqueue(id, { kind: 'import', batch, key: newIdempotencyKey() }, options)
      return find(id)
    },

    /** Sends what was refused again, and answers the entry that is left of it. */
    async retry(id: string, ...options: [BatchOptions?]): Promise<Entry | undefined> {
      const entry = find(id)
      if (entry?.state !== 'refused') return entry
      const { operation, refusal } = entry
      const isConfirmed = isBatch(operation) || refusal.code === conflictError.code
      if (!isConfirmed && decideResend(operation) === 'ask') {
        await putEntry({ ...entry, refusal: conflictError })
        return find(id)
      }
      const wasDeletedMeanwhile = operation.kind === 'update' && refusal.code === 'not-found'
      const next = wasDeletedMeanwhile
        ? ({ kind: 'restore', employee: operation.employee, before: operation.before } as const)
        : operation
      await enqueue(id, next, ...options)
      return find(id)
    },

    async undo(id: string) {
      const entry = find(id)
      if (entry?.state === 'deleted') await enqueue(id, { kind: 'restore', employee: entry.employee })
      if (entry?.state === 'imported') {
        const batch = invertBatch(entry.batch, entry.result)
        await enqueue(id, { kind: 'undo-import', batch, key: newIdempotencyKey() })
      }
    },

    /**
     * Takes an entry out, to be edited in the form, and puts aside what stood there; null where there is nothing to
     * edit. The vault keeps each before it forgets the other.
     */
    takeForEditing(id: string, currentDraft: Draft): Draft | null {
      const draft = draftFromEntry(find(id))
      if (!draft) return null
      void stashDraft(currentDraft)
      void persistForm(draft)
      void removeEntry(id)
      return draft
    },

    discard(id: string): Promise<void> {
      return removeEntry(id)
    },

    /** Forgets the deletes whose record is in the register again: somebody else has put it back. */
    async dropRestoredDeletes(book: readonly Employee[]) {
      const deleted = entries.filter((entry) => entry.state === 'deleted')
      if (deleted.length === 0) return
      const ids = new Set(deleted.map(({ employee }) => employee.id))
      const present = new Set(book.filter(({ id }) => ids.has(id)).map(({ id }) => id))
      for (const { id, employee } of deleted) if (present.has(employee.id)) await removeEntry(id)
    },

    /** Puts aside what stands in the form, because something else is taken into it. */
    stashDraft: stashDraft,

    /** Keeps what stands in the form, for after a reload. */
    saveForm: persistForm,

    /** Resolves when nothing is on its way any more, or after so many ms. */
    async waitUntilIdle(timeoutMs: number) {
      await Promise.race([
        Promise.all(queues.values()),
        new Promise((resolve) => setTimeout(resolve, timeoutMs)),
      ])
    },

    /** Takes in what was left before a reload, and answers what stood in the form. */
    async load(): Promise<Draft | null> {
      const stored = (await encryptedStore.load()).sort((a, b) => (a.id < b.id ? -1 : 1))
      const storedForms = stored.filter(({ id }) => id.startsWith(formPrefix))
      const storedEntries = stored
        .filter(({ id }) => !id.startsWith(formPrefix))
        .map(({ value }) => markInterrupted(value as Entry))
      setEntries([...storedEntries, ...entries])
      for (const entry of storedEntries) await encryptedStore.put(entry.id, entry)
      const drafts = storedForms.map(({ value }) => value as Draft)
      const lastForm = drafts.pop() ?? null
      if (lastForm) await encryptedStore.put(formId, lastForm)
      for (const draft of drafts) await putEntry({ id: newIdempotencyKey(), state: 'draft', draft })
      for (const { id } of storedForms) await encryptedStore.delete(id)
      return lastForm
    },

    /**
     * Sends what waits for nothing but the line or the session, and settles when all of it has been answered. Until then
     * each stands there as it is: nothing jumps if it fails again. To be called when the register has been read.
     */
    async resendWaiting() {
      await Promise.all(entries.map(resend))
    },

    /** Forgets everything, here and in the vault. */
    async wipe() {
      setEntries([])
      await encryptedStore.wipe()
    },
  }
}
