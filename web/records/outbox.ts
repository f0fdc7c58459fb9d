import type { Batch, BatchResult } from '../../contract/batches.ts'
import { type Employee, fieldsOf, sameFields } from '../../contract/employees.ts'
import { inverseOf } from '../services/batch.ts'
import { newKey } from '../services/key.ts'
import type { BatchOptions, ServiceErrorCode } from '../services/ports.ts'
import { type Draft, isWorthKeeping } from './draft.ts'
import { draftFrom, isBatch, laneOf, type Operation } from './operation.ts'
import type { Vault } from './vault.ts'

/** Why an operation was not carried out. */
export interface Refusal {
  code: ServiceErrorCode | 'changed-meanwhile' | 'unfinished'
  message: string
}

export type Entry =
  /** On its way; `since` is when it was sent, in ms since 1970. */
  | { id: string; state: 'sending'; operation: Operation; since: number }
  /** Not saved. Of some refusals the outbox sends it again by itself: see `passes`. */
  | { id: string; state: 'refused'; operation: Operation; refusal: Refusal }
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

type Done<S extends Entry['state']> = Extract<Entry, { state: S }>

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

/** Refusals that pass by themselves, so that the operation is sent again when the line or the session is back. */
const passes = (code: Refusal['code']) => code === 'offline' || code === 'not-signed-in'

/** After these it is not known whether the operation was carried out. */
const isUncertain = (code: Refusal['code']) =>
  code === 'offline' || code === 'server-error' || code === 'storage-unavailable'

/**
 * Holds what a person did until the service has it, in this order: kept in the vault, sent, and only then forgotten.
 * What was refused waits for a decision; what could not be sent waits for the line.
 */
export function createOutbox({ vault, send, currentBook }: OutboxParts) {
  const formId = formPrefix + newKey()
  let entries: readonly Entry[] = []
  const listeners = new Set<() => void>()
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

  /** Keeps an operation, and sends it when those before it in its lane have been answered. */
  function enqueue(id: string, operation: Operation, ...options: [BatchOptions?]): Promise<void> {
    const lane = laneOf(operation)
    const before = lanes.get(lane)
    const kept = put({ id, state: 'sending', operation, since: Date.now() })
    const turn = Promise.all([kept, before]).then(() => carryOut(id, operation, ...options))
    lanes.set(lane, turn)
    return turn
  }

  async function carryOut(id: string, operation: Operation, ...options: [BatchOptions?]) {
    let result: BatchResult | undefined
    try {
      result = await send(operation, ...options)
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal.code === 'cancelled') await drop(id)
      else await put({ id, state: 'refused', operation: afterRefusal(operation, refusal), refusal })
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
        ? ({ kind: 'restore', employee: operation.employee } as const)
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

    /** Sends what waits for nothing but the line or the session. To be called when the register has been read. */
    async resume() {
      for (const entry of entries) {
        if (entry.state !== 'refused' || !passes(entry.refusal.code)) continue
        const { id, operation } = entry
        const next = afterWaiting(operation)
        if (next === 'send') void enqueue(id, operation)
        if (next === 'done') await settle(id, operation)
        const refusal = isBatch(operation) ? unfinished : changedMeanwhile
        if (next === 'ask') await put({ id, state: 'refused', operation, refusal })
      }
    },

    /** Forgets everything, here and in the vault. */
    async wipe() {
      show([])
      await vault.wipe()
    },
  }
}

/** What there is to say of an operation that was carried out, and to take it back with. */
function whatIsLeft(
  id: string,
  operation: Operation,
  result: BatchResult | undefined,
): Done<'deleted' | 'imported' | 'undone'> | null {
  if (operation.kind === 'remove') return { id, state: 'deleted', employee: operation.employee }
  if (!isBatch(operation) || !result) return null
  if (operation.kind === 'import') return { id, state: 'imported', batch: operation.batch, result }
  return result.kept.length > 0 ? { id, state: 'undone', kept: result.kept.length } : null
}

const changedMeanwhile: Refusal = {
  code: 'changed-meanwhile',
  message: 'Someone else has changed this record meanwhile.',
}

/** An import is never sent behind a person's back. */
const unfinished: Refusal = { code: 'unfinished', message: 'It was not finished, and waits for you.' }

/** A record that was nowhere to be put back to can only be added. */
function afterRefusal(operation: Operation, { code }: Refusal): Operation {
  const hasNoPlace = operation.kind === 'restore' && code === 'not-found'
  return hasNoPlace ? { kind: 'add', fields: fieldsOf(operation.employee), key: newKey() } : operation
}

/** What of an entry can be edited in the form. */
function draftIn(entry: Entry | undefined): Draft | null {
  if (entry?.state === 'draft') return entry.draft
  if (entry?.state !== 'refused' || isBatch(entry.operation)) return null
  return draftFrom(entry.operation, isUncertain(entry.refusal.code))
}

function refusalOf(error: unknown): Refusal {
  const { code = 'server-error', message = 'Something went wrong.' } = error as Partial<Refusal>
  return { code, message }
}

/** An entry as it stands after a reload: nobody knows how a sending ended that the reload has cut short. */
function interrupted(entry: Entry): Entry {
  if (entry.state !== 'sending') return entry
  const refusal: Refusal = { code: 'offline', message: 'The page was closed before it was saved.' }
  return { id: entry.id, state: 'refused', operation: entry.operation, refusal }
}
