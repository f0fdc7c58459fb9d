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

  /** Inserts entries before all others. Resolves when they are stored. */
  async prepend(entries: readonly Entry[]): Promise<void> {
    this.#set([...entries, ...this.#entries])
    for (const entry of entries) await this.#storage.saveEntry(entry)
  }

  /** Resolves when the entry is deleted from the encrypted store. */
  remove(id: string): Promise<void> {
    this.#set(this.#entries.filter((entry) => entry.id !== id))
    return this.#storage.deleteEntry(id)
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
