import { newIdempotencyKey } from '../../backends/idempotency-key.ts'
import { type Draft, hasUnsavedInput } from './draft.ts'
import type { EncryptedStore } from './encrypted-store.ts'
import { type Entry, isUnsaved } from './entry.ts'

const formPrefix = 'form-'

const isForm = ({ id }: { id: string }) => id.startsWith(formPrefix)

interface StoredForm {
  id: string
  draft: Draft
}

/** The rows of an outbox in the encrypted store: its entries and the draft in the form. */
export class OutboxStorage {
  readonly #store: EncryptedStore
  readonly #formId = formPrefix + newIdempotencyKey()

  constructor(store: EncryptedStore) {
    this.#store = store
  }

  get isDurable(): boolean {
    return this.#store.isDurable
  }

  /** Returns the rows of earlier pages, oldest first. Rejects if they can't be read. */
  async load(): Promise<{ entries: Entry[]; forms: StoredForm[] }> {
    const rows = (await this.#store.load()).sort((a, b) => (a.id < b.id ? -1 : 1))
    return {
      entries: rows.filter((row) => !isForm(row)).map(({ value }) => value as Entry),
      forms: rows.filter(isForm).map(({ id, value }) => ({ id, draft: value as Draft })),
    }
  }

  /** Counts the unsaved entries and drafts of all tabs, except for these entries and this tab's form. Rejects like `load`. */
  async countUnsaved(exceptIds: Set<string>): Promise<number> {
    const rows = await this.#store.loadOthers(new Set([...exceptIds, this.#formId]))
    return rows.filter((row) => isForm(row) || isUnsaved(row.value as Entry)).length
  }

  saveEntry(entry: Entry): Promise<void> {
    return this.#store.put(entry.id, entry)
  }

  deleteEntry(id: string): Promise<void> {
    return this.#store.delete(id)
  }

  /** Stores the form's draft. If it has no unsaved input, deletes the stored draft instead. */
  saveForm(draft: Draft): Promise<void> {
    return hasUnsavedInput(draft) ? this.#store.put(this.#formId, draft) : this.#store.delete(this.#formId)
  }

  deleteForm({ id }: StoredForm): Promise<void> {
    return this.#store.delete(id)
  }

  wipe(): Promise<void> {
    return this.#store.wipe()
  }
}
