import type { Batch, BatchResult } from '../../../contract/batches.ts'
import { type Employee, sameFields } from '../../../contract/employees.ts'
import { inverseOf } from '../../backends/batch.ts'
import { newKey } from '../../backends/idempotency-key.ts'
import type { BatchOptions } from '../../backends/ports.ts'
import { type Draft, isWorthKeeping } from './draft.ts'
import type { Vault } from './encrypted-store.ts'
import {
  afterRefusal,
  changedMeanwhile,
  type Done,
  draftIn,
  type Entry,
  interrupted,
  isDoneAlready,
  passes,
  refusalOf,
  unfinished,
  whatIsLeft,
} from './entry.ts'
import { isBatch, laneOf, type Operation } from './operation.ts'

export interface OutboxParts {
  vault: Vault
  /** Carries an operation out, and answers what came of a batch; rejects with a `code` and a `message`. */
  send(operation: Operation, options?: BatchOptions): Promise<BatchResult | undefined>
  /** The register as the page knows it now. */
  currentBook(): Employee[]
}

export type Outbox = ReturnType<typeof createOutbox>

/** More than this at once are not for undoing one by one. */
const mostRemembered = { deleted: 5, imported: 3 }
const formPrefix = 'form-'

/**
 * Holds what a person did until the service has it, in this order: kept in the vault, sent, and only then forgotten.
 * What was refused waits for a decision; what could not be sent waits for the line.
 */
export function createOutbox({ vault, send, currentBook }: OutboxParts) {
  const formId = formPrefix + newKey()
  let entries: readonly Entry[] = []
  const listeners = new Set<() => void>()
  const doneListeners = new Set<(operation: Operation) => void>()
  /** The last operation of each lane that is on its way. */
  const lanes = new Map<string, Promise<void>>()

  function show(next: readonly Entry[]) {
    entries = next
    for (const listener of listeners) listener()
  }

  /** Shows the entry in its place, or behind the others, and keeps it. */
  async function put(entry: Entry) {
    const present = entries.some(({ id }) => id === entry.id)
    show(present ? entries.map((other) => (other.id === entry.id ? entry : other)) : [...entries, entry])
    await vault.put(entry.id, entry)
  }

  async function drop(id: string) {
    show(entries.filter((entry) => entry.id !== id))
    await vault.delete(id)
  }

  function find(id: string) {
    return entries.find((entry) => entry.id === id)
  }

  /** Keeps an operation, and sends it when its turn has come. */
  function enqueue(id: string, operation: Operation, ...options: [BatchOptions?]): Promise<void> {
    const kept = put({ id, state: 'sending', operation, since: Date.now() })
    return inTurn(operation, async () => {
      await kept
      await carryOut(id, operation, ...options)
    })
  }

  /** Does the work when all before it in the operation's lane has been answered. */
  function inTurn(operation: Operation, work: () => Promise<void>): Promise<void> {
    const lane = laneOf(operation)
    const turn = Promise.resolve(lanes.get(lane)).then(work)
    lanes.set(lane, turn)
    return turn
  }

  async function carryOut(id: string, operation: Operation, ...options: [BatchOptions?]) {
    if (!stillHolds(id, operation)) return
    let result: BatchResult | undefined
    try {
      result = await send(operation, ...options)
    } catch (error) {
      const refusal = refusalOf(error)
      if (!stillHolds(id, operation)) return
      if (isDoneAlready(operation, refusal)) await settle(id, operation)
      else if (refusal.code === 'cancelled') await drop(id)
      else await put({ id, state: 'refused', ...afterRefusal(operation, refusal) })
      return
    }
    await settle(id, operation, result)
  }

  /** An operation was carried out. */
  async function settle(id: string, operation: Operation, result?: BatchResult) {
    const left = whatIsLeft(id, operation, result)
    if (!left) await drop(id)
    else if (left.state === 'undone') await put(left)
    else await remember(left)
    for (const listener of doneListeners) listener(operation)
  }

  /** False where the person has taken the entry out or discarded it, or it has become another one, meanwhile. */
  function stillHolds(id: string, operation: Operation): boolean {
    const entry = find(id)
    return entry !== undefined && 'operation' in entry && entry.operation === operation
  }

  async function remember(entry: Done<'deleted' | 'imported'>) {
    await put(entry)
    const alike = entries.filter(({ state }) => state === entry.state)
    for (const { id } of alike.slice(0, -mostRemembered[entry.state])) await drop(id)
  }

  /** What an operation that has waited comes to now, seeing what colleagues did meanwhile. */
  function afterWaiting(operation: Operation): 'send' | 'done' | 'ask' {
    if (operation.kind === 'import') return 'ask'
    if (operation.kind === 'undo-import') return 'send'
    if (operation.kind === 'add' || operation.kind === 'restore') return 'send'
    const seen = operation.kind === 'update' ? operation.before : operation.employee
    const present = currentBook().find(({ id }) => id === seen.id)
    if (!present) return operation.kind === 'remove' ? 'done' : 'send'
    if (sameFields(present, seen)) return 'send'
    return operation.kind === 'update' && sameFields(present, operation.employee) ? 'done' : 'ask'
  }

  function sendAgain(entry: Entry): Promise<void> | undefined {
    if (entry.state !== 'refused' || !passes(entry.refusal.code)) return
    const { id, operation } = entry
    switch (afterWaiting(operation)) {
      case 'send':
        return inTurn(operation, () => carryOut(id, operation))
      case 'done':
        return settle(id, operation)
      case 'ask':
        return put({ ...entry, refusal: isBatch(operation) ? unfinished : changedMeanwhile })
    }
  }

  async function putAside(draft: Draft) {
    if (isWorthKeeping(draft)) await put({ id: newKey(), state: 'draft', draft })
  }

  async function keepForm(draft: Draft) {
    if (isWorthKeeping(draft)) await vault.put(formId, draft)
    else await vault.delete(formId)
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    /** Tells of each operation that has been carried out, whether a person waits for it or it was sent by itself. */
    onDone(listener: (operation: Operation) => void) {
      doneListeners.add(listener)
      return () => void doneListeners.delete(listener)
    },

    entries: () => entries,

    /** False where what is unsaved would not outlive the page. */
    get lasting() {
      return vault.lasting
    },

    /** Does what was asked for. Settles when it is done, or waits as an entry. */
    submit(operation: Operation): Promise<void> {
      return enqueue(newKey(), operation)
    },

    /** Imports a batch, and answers the entry that is left of it: none where it was cancelled. */
    async importBatch(batch: Batch, options: BatchOptions): Promise<Entry | undefined> {
      const id = newKey()
      await enqueue(id, { kind: 'import', batch, key: newKey() }, options)
      return find(id)
    },

    /** Sends what was refused again, and answers the entry that is left of it. */
    async retry(id: string, ...options: [BatchOptions?]): Promise<Entry | undefined> {
      const entry = find(id)
      if (entry?.state !== 'refused') return entry
      const { operation, refusal } = entry
      const hasAsked = isBatch(operation) || refusal.code === changedMeanwhile.code
      if (!hasAsked && afterWaiting(operation) === 'ask') {
        await put({ ...entry, refusal: changedMeanwhile })
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
        const batch = inverseOf(entry.batch, entry.result)
        await enqueue(id, { kind: 'undo-import', batch, key: newKey() })
      }
    },

    /**
     * Takes an entry out, to be edited in the form, and puts aside what stood there; null where there is nothing to
     * edit. The vault keeps each before it forgets the other.
     */
    takeOut(id: string, displaced: Draft): Draft | null {
      const draft = draftIn(find(id))
      if (!draft) return null
      void putAside(displaced)
      void keepForm(draft)
      void drop(id)
      return draft
    },

    discard(id: string): Promise<void> {
      return drop(id)
    },

    /** Forgets the deletes whose record is in the register again: somebody else has put it back. */
    async forgetUndone(book: readonly Employee[]) {
      const deleted = entries.filter((entry) => entry.state === 'deleted')
      if (deleted.length === 0) return
      const ids = new Set(deleted.map(({ employee }) => employee.id))
      const present = new Set(book.filter(({ id }) => ids.has(id)).map(({ id }) => id))
      for (const { id, employee } of deleted) if (present.has(employee.id)) await drop(id)
    },

    /** Puts aside what stands in the form, because something else is taken into it. */
    putAside,

    /** Keeps what stands in the form, for after a reload. */
    keepForm,

    /** Resolves when nothing is on its way any more, or after so many ms. */
    async settled(limit: number) {
      await Promise.race([Promise.all(lanes.values()), new Promise((resolve) => setTimeout(resolve, limit))])
    },

    /** Takes in what was left before a reload, and answers what stood in the form. */
    async open(): Promise<Draft | null> {
      const left = (await vault.load()).sort((a, b) => (a.id < b.id ? -1 : 1))
      const forms = left.filter(({ id }) => id.startsWith(formPrefix))
      const waiting = left
        .filter(({ id }) => !id.startsWith(formPrefix))
        .map(({ value }) => interrupted(value as Entry))
      show([...waiting, ...entries])
      for (const entry of waiting) await vault.put(entry.id, entry)
      const drafts = forms.map(({ value }) => value as Draft)
      const form = drafts.pop() ?? null
      if (form) await vault.put(formId, form)
      for (const draft of drafts) await put({ id: newKey(), state: 'draft', draft })
      for (const { id } of forms) await vault.delete(id)
      return form
    },

    /**
     * Sends what waits for nothing but the line or the session, and settles when all of it has been answered. Until then
     * each stands there as it is: nothing jumps if it fails again. To be called when the register has been read.
     */
    async resume() {
      await Promise.all(entries.map(sendAgain))
    },

    /** Forgets everything, here and in the vault. */
    async wipe() {
      show([])
      await vault.wipe()
    },
  }
}
