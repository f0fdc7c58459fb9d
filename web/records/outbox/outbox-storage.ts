import { emptyFields, fieldNames } from '../../../contract/employees.ts'
import { newIdempotencyKey } from '../../backends/idempotency-key.ts'
import { type Draft, hasUnsavedInput } from './draft.ts'
import type { EncryptedStore } from './encrypted-store.ts'
import { type Entry, isUnsaved, markInterrupted } from './entry.ts'

const formPrefix = 'form-'

const isForm = ({ id }: { id: string }) => id.startsWith(formPrefix)

interface StoredForm {
  id: string
  draft: Draft
}

/**
 * The entries of an outbox, observable, and the draft in the form; both stored encrypted. Listeners are notified before a
 * change is stored.
 */
export class OutboxStorage {
  readonly #store: EncryptedStore
  readonly #formId = formPrefix + newIdempotencyKey()
  readonly #listeners = new Set<() => void>()
  #entries: readonly Entry[] = []

  constructor(store: EncryptedStore) {
    this.#store = store
  }

  get isDurable(): boolean {
    return this.#store.isDurable
  }

  getAll(): readonly Entry[] {
    return this.#entries
  }

  find(id: string): Entry | undefined {
    return this.#entries.find((entry) => entry.id === id)
  }

  /** Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Inserts the entries of earlier pages before all others. Returns their forms, oldest first. Rejects if they can't be read. */
  async load(): Promise<StoredForm[]> {
    const rows = (await this.#store.load()).sort((a, b) => (a.id < b.id ? -1 : 1))
    for (const { value } of rows) completeFields(value)
    const entries = rows.filter((row) => !isForm(row)).map(({ value }) => markInterrupted(value as Entry))
    this.#set([...entries, ...this.#entries])
    return rows.filter(isForm).map(({ id, value }) => ({ id, draft: value as Draft }))
  }

  /** Counts the unsaved entries and drafts of this user's other tabs. Rejects if they can't be read. */
  async countUnsavedElsewhere(): Promise<number> {
    const ownIds = this.#entries.map(({ id }) => id)
    const rows = await this.#store.loadOthers(new Set([...ownIds, this.#formId]))
    return rows.filter((row) => isForm(row) || isUnsaved(row.value as Entry)).length
  }

  /** Replaces the entry with the same id, or appends a new one. Resolves when it is stored. */
  put(entry: Entry): Promise<void> {
    const exists = this.find(entry.id) !== undefined
    this.#set(
      exists
        ? this.#entries.map((other) => (other.id === entry.id ? entry : other))
        : [...this.#entries, entry],
    )
    return this.#store.put(entry.id, entry)
  }

  /** Resolves when the entries are deleted from the encrypted store. */
  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const removed = new Set(ids)
    this.#set(this.#entries.filter(({ id }) => !removed.has(id)))
    await Promise.all(ids.map((id) => this.#store.delete(id)))
  }

  /** Stores the form's draft. If it has no unsaved input, deletes the stored draft instead. */
  saveForm(draft: Draft): Promise<void> {
    return hasUnsavedInput(draft) ? this.#store.put(this.#formId, draft) : this.#store.delete(this.#formId)
  }

  deleteForm({ id }: StoredForm): Promise<void> {
    return this.#store.delete(id)
  }

  wipe(): Promise<void> {
    this.#set([])
    return this.#store.wipe()
  }

  #set(entries: readonly Entry[]): void {
    this.#entries = entries
    for (const listener of this.#listeners) listener()
  }
}

/** Adds the fields that did not exist yet when a record was stored. `typed` of a draft holds only some fields anyway. */
function completeFields(stored: unknown): void {
  if (typeof stored !== 'object' || stored === null) return
  if (fieldNames[0] in stored) Object.assign(stored, { ...emptyFields, ...stored })
  for (const [key, value] of Object.entries(stored)) {
    if (key !== 'typed') completeFields(value)
  }
}
