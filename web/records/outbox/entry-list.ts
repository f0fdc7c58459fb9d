import type { Entry } from './entry.ts'
import type { OutboxStorage } from './outbox-storage.ts'

/** The entries of an outbox, observable and stored. Listeners are notified before a change is stored. */
export class EntryList {
  readonly #storage: OutboxStorage
  readonly #listeners = new Set<() => void>()
  #entries: readonly Entry[] = []

  constructor(storage: OutboxStorage) {
    this.#storage = storage
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

  /** Replaces the entry with the same id, or appends a new one. Resolves when it is stored. */
  put(entry: Entry): Promise<void> {
    const exists = this.find(entry.id) !== undefined
    this.#set(
      exists
        ? this.#entries.map((other) => (other.id === entry.id ? entry : other))
        : [...this.#entries, entry],
    )
    return this.#storage.saveEntry(entry)
  }

  /** Inserts entries that are already stored before all others. */
  prepend(entries: readonly Entry[]): void {
    this.#set([...entries, ...this.#entries])
  }

  /** Resolves when the entries are deleted from the encrypted store. */
  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const removed = new Set(ids)
    this.#set(this.#entries.filter(({ id }) => !removed.has(id)))
    await Promise.all(ids.map((id) => this.#storage.deleteEntry(id)))
  }

  /** Removes all entries from the list, but not from the encrypted store. */
  clear(): void {
    this.#set([])
  }

  #set(entries: readonly Entry[]): void {
    this.#entries = entries
    for (const listener of this.#listeners) listener()
  }
}
