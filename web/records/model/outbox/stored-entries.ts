import { newIdempotencyKey } from '../../../backends/idempotency-key.ts'
import {
  type Draft,
  emptyDraft,
  hasUnsavedInput,
  isRunning,
  type RecordChange,
  toSent,
} from '../book/operation.ts'
import type { EncryptedStore } from './encrypted-store.ts'
import {
  draftFromEntry,
  type Entry,
  findExpiredUndo,
  findPendingUpdates,
  isPending,
  isUncertain,
  isUnsaved,
  isUpdate,
  markInterrupted,
  undoFromFailedRestore,
  upgradeEntry,
} from './entry.ts'
import { createTakeOut, takeOutOfDraft, takeOutOfOperation } from './take-out.ts'

/** A changed form is stored after this time, in ms. */
const autosaveDelayMs = 250

const formPrefix = 'form-'

type DraftState = 'draft' | 'discarded'

const isForm = ({ id }: { id: string }) => id.startsWith(formPrefix)

/** The entries of an outbox and the form's draft, stored encrypted. Listeners are notified before a change is stored. */
export class StoredEntries {
  readonly #store: EncryptedStore
  readonly #formId = formPrefix + newIdempotencyKey()
  readonly #listeners = new Set<() => void>()
  #entries: readonly Entry[] = []
  #form = emptyDraft
  #autosaveTimer: ReturnType<typeof setTimeout> | undefined
  #wasDurable: boolean
  #isLoaded = true
  /** False if the entries of earlier pages could not be read. They stay in the encrypted store until it can be read again. */
  isFullyLoaded = true

  constructor(store: EncryptedStore) {
    this.#store = store
    this.#wasDurable = store.isDurable
    store.onChange = () => {
      this.#wasDurable ||= store.isDurable
      this.#notify()
      if (store.isDurable && !this.#isLoaded) void this.load()
    }
  }

  // Arrow functions, because `useSyncExternalStore` calls them without `this`.
  readonly entries = (): readonly Entry[] => this.#entries
  readonly form = (): Draft => this.#form

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** False if unsaved changes would be lost when the page is closed. */
  get isDurable(): boolean {
    return this.#store.isDurable
  }

  /** Whether the browser has stopped storing what is typed. */
  get hasLostStorage(): boolean {
    return !this.isDurable && this.#wasDurable
  }

  /** Inserts the entries of earlier pages before all others, and the last draft of their forms into this one. Never rejects. */
  async load(): Promise<void> {
    this.#isLoaded = true
    this.isFullyLoaded = true
    const rows = await this.#store.load().catch(() => {
      this.#isLoaded = false
      // A browser that opens no database has none to read.
      this.isFullyLoaded = !this.#store.isOpen
      return []
    })
    rows.sort((a, b) => (a.id < b.id ? -1 : 1))
    const entries = rows
      .filter((row) => !isForm(row))
      .map(({ value }) => markInterrupted(upgradeEntry(value as Entry)))
    this.#set([...entries, ...this.#entries])
    await this.discardAll(findExpiredUndo(this.#entries))
    const forms = rows.filter(isForm)
    const drafts = forms.map(({ value }) => value as Draft)
    const lastDraft = drafts.pop()
    if (lastDraft) await this.saveForm(lastDraft)
    for (const draft of drafts) await this.stashDraft(draft)
    for (const { id } of forms) await this.#store.delete(id)
  }

  /** An edit becomes a discarded draft, as it may have been saved: a later one of its record is sent with what it has sent. */
  discard(id: string): Promise<void> {
    const entry = this.find(id)
    this.takeOut(entry)
    const isEdit = entry?.state === 'draft' ? entry.draft.sent : entry && isUpdate(entry)
    const draft = isEdit ? draftFromEntry(entry) : null
    return draft?.editing ? this.put({ id, state: 'discarded', draft }) : this.discardAll([{ id }])
  }

  /** Discards all entries about changes that are saved, so that none of them can be undone. */
  dismissDone(): Promise<void> {
    return this.discardAll(this.#entries.filter((entry) => !isUnsaved(entry)))
  }

  /**
   * Moves an entry into the form, whose draft becomes an entry. `run` stays in the form. Returns false if the entry can't be
   * edited. What waits of its record is saved before it, so the draft is based on that. A delete whose undo failed can be undone
   * again. Writes run in this order, so a crash between them loses no input.
   */
  takeForEditing(id: string, run?: Pick<Draft, 'run'>): boolean {
    const entry = this.find(id)
    const draft = draftFromEntry(entry)
    if (!draft) return false
    this.takeOut(entry)
    const others = this.#entries.filter((other) => other !== entry)
    const toBase = ({ before, employee }: RecordChange) =>
      createTakeOut({ before: employee, employee: before })
    const based = findPendingUpdates(others, draft.editing?.id).map(toBase).reduce(takeOutOfDraft, draft)
    this.replaceForm({ ...run, ...based })
    const undo = undoFromFailedRestore(entry)
    void (undo ? this.put(undo) : this.discardAll([{ id }]))
    return true
  }

  /** Puts another draft into the form. The present one becomes an entry; if it is `discarded`, one that Undo takes back. */
  replaceForm(draft: Draft, state?: DraftState): void {
    void this.stashDraft(this.#form, state)
    void this.saveForm(draft)
  }

  /** Adds a draft as an entry, because another draft replaces it in the form. Ignores a draft without unsaved input. */
  async stashDraft(draft: Draft, state: DraftState = 'draft'): Promise<void> {
    if (hasUnsavedInput(draft) || isRunning(draft)) await this.put({ id: newIdempotencyKey(), state, draft })
  }

  /** Sets the form's draft, and stores it soon. */
  setForm(draft: Draft): void {
    this.#form = draft
    this.#notify()
    this.#autosaveTimer ??= setTimeout(() => this.saveForm(), autosaveDelayMs)
  }

  /** Stores the form's draft, so that a reload can restore it; if it has neither unsaved input nor a run, deletes it. */
  saveForm(draft = this.#form): Promise<void> {
    if (draft !== this.#form) this.setForm(draft)
    clearTimeout(this.#autosaveTimer)
    this.#autosaveTimer = undefined
    const isWorthIt = hasUnsavedInput(draft) || draft.run !== undefined
    return isWorthIt ? this.#store.put(this.#formId, draft) : this.#store.delete(this.#formId)
  }

  /** The number of entries that the service does not have, plus 1 for a form with unsaved input. */
  countUnsaved(): number {
    return this.#entries.filter(isUnsaved).length + (hasUnsavedInput(this.#form) ? 1 : 0)
  }

  /** What `countUnsaved` is in all other tabs of this user, as far as they are stored. 0 if the storage can't be read. */
  async countUnsavedElsewhere(): Promise<number> {
    const ownIds = this.#entries.map(({ id }) => id)
    const rows = await this.#store.loadOthers(new Set([...ownIds, this.#formId])).catch(() => [])
    const isUnsavedRow = (row: { id: string; value: unknown }) =>
      isForm(row) ? hasUnsavedInput(row.value as Draft) : isUnsaved(row.value as Entry)
    return rows.filter(isUnsavedRow).length
  }

  /** Deletes all entries and the draft, also from the encrypted store. */
  wipe(): Promise<void> {
    this.#form = emptyDraft
    this.#set([])
    return this.#store.wipe()
  }

  /** Stores nothing any more. */
  end(): void {
    this.#store.end()
  }

  protected find(id: string): Entry | undefined {
    return this.#entries.find((entry) => entry.id === id)
  }

  /** Bases on the record without the change of an entry what follows it, because the change will not take effect. */
  takeOut(entry: Entry | undefined): void {
    const change = entry && 'operation' in entry ? entry.operation : entry
    if (!entry || !change || !('before' in change) || !change.before) return
    const { before, employee } = change
    const { sent = [] } = 'sent' in change ? change : {}
    const isStored = entry.state !== 'refused' || isUncertain(entry.refusal.code)
    const takeOut = createTakeOut(
      { before, employee },
      isStored ? [...sent, toSent({ before, employee }, entry.id)] : sent,
    )
    for (const later of this.#entries.slice(this.#entries.indexOf(entry) + 1)) {
      if ('operation' in later) {
        const operation = takeOutOfOperation(later.operation, takeOut, isPending(later), later.id)
        // What is on its way is sent again with it.
        if (operation !== later.operation) void this.put(markInterrupted({ ...later, operation }))
      } else if ('draft' in later) {
        const draft = takeOutOfDraft(later.draft, takeOut)
        if (draft !== later.draft) void this.put({ ...later, draft })
      }
    }
    const form = takeOutOfDraft(this.#form, takeOut)
    if (form !== this.#form) void this.saveForm(form)
  }

  /** Replaces the entry with the same id, or appends a new one. Resolves when it is stored. */
  protected put(entry: Entry): Promise<void> {
    const index = this.#entries.findIndex(({ id }) => id === entry.id)
    this.#set(index < 0 ? [...this.#entries, entry] : this.#entries.with(index, entry))
    return this.#store.put(entry.id, entry, !isUnsaved(entry))
  }

  /** Resolves when the entries are deleted from the encrypted store. */
  protected async discardAll(entries: readonly { id: string }[]): Promise<void> {
    if (entries.length === 0) return
    const ids = new Set(entries.map(({ id }) => id))
    this.#set(this.#entries.filter(({ id }) => !ids.has(id)))
    await Promise.all(Array.from(ids, (id) => this.#store.delete(id)))
  }

  #set(entries: readonly Entry[]): void {
    this.#entries = entries
    this.#notify()
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}
