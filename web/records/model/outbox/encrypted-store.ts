import { del, delMany, get, getMany, keys, promisifyRequest, type UseStore, update } from 'idb-keyval'
import { backOff } from '../../../backends/backoff.ts'
import { newIdempotencyKey } from '../../../backends/idempotency-key.ts'
import { actAfter } from '../../../lib/dom.ts'
import { openObjectStore } from './database.ts'
import type { Tab } from './tab-lock.ts'

interface StoredValue {
  id: string
  value: unknown
}

/** An encrypted value. `sealed` is the name in the stored rows. */
interface EncryptedRow {
  tab: string
  iv: Uint8Array<ArrayBuffer>
  sealed: ArrayBuffer
}

type NamedRow = [name: string, row: EncryptedRow]

/** The key of a user's rows. The name is new for each key, so that a tab notices when the key has been replaced. */
interface StoredKey {
  key: CryptoKey
  name: string
}

export type EncryptedStore = Omit<EncryptedRows, 'open'>

export const nullStore: EncryptedStore = {
  isDurable: false,
  isOpen: false,
  onChange: () => {},
  load: async () => [],
  loadOthers: async () => [],
  put: async () => {},
  delete: async () => {},
  wipe: async () => {},
  end: () => {},
}

/** Opens the store of a user, or `nullStore` if this browser can't encrypt or has no database. `isSignedIn`: as this user. */
export async function openEncryptedStore(
  uid: string,
  tab: Tab,
  isSignedIn: () => boolean,
): Promise<EncryptedStore> {
  if (!globalThis.crypto?.subtle || !globalThis.indexedDB) return nullStore
  const store = new EncryptedRows(uid, tab, isSignedIn)
  await store.open()
  return store
}

const storedKeyName = (uid: string) => `${uid}/key`

async function loadOrCreateKey(name: string, idbStore: UseStore): Promise<StoredKey> {
  const existing = await get<StoredKey | CryptoKey>(name, idbStore)
  if (existing && 'key' in existing) return existing
  // The first versions stored the key without a name.
  const key =
    existing ??
    (await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']))
  // Another tab may have stored a key in the meantime; the first one is used.
  const choose = (current: StoredKey | CryptoKey | undefined) =>
    current && 'key' in current ? current : { key: current ?? key, name: newIdempotencyKey() }
  await update<StoredKey | CryptoKey>(name, choose, idbStore)
  const storedKey = await get<StoredKey>(name, idbStore)
  if (!storedKey) throw new Error('The browser did not store the key.')
  return storedKey
}

/** The accesses of this page run in order: a row is deleted after its replacement is stored, and a read sees what was stored. */
let lastAccess: Promise<unknown> = Promise.resolve()

function enqueue<T>(access: () => Promise<T>): Promise<T> {
  const result = lastAccess.then(access)
  lastAccess = result.catch(() => {})
  return result
}

/** A browser that takes longer, in ms, may never answer: a database can be blocked by another tab, or by a broken disk. */
const maxWaitMs = 5_000

/** Rejects if the access takes too long. It goes on. */
function limitTime<T>(access: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = actAfter(maxWaitMs, () => reject(new Error('The browser does not answer.')))
    access.then(resolve, reject).finally(stop)
  })
}

/**
 * Stores unsaved input across reloads, encrypted with a non-extractable WebCrypto key, so that no password is readable in
 * the browser's storage. A row belongs to a user and a tab; the next tab that opens takes over the rows of closed tabs.
 *
 * What the browser does not store, or has lost, is written again from memory until it is stored.
 */
class EncryptedRows {
  readonly #uid: string
  readonly #tab: Tab
  readonly #isSignedIn: () => boolean
  readonly #idbStore: UseStore
  readonly #rowPrefix: string
  /** What the rows of this tab contain, once everything is stored. */
  readonly #values = new Map<string, unknown>()
  /** Rows that could not be deleted yet. */
  readonly #deletedIds = new Set<string>()
  /** Undefined until the database is open, and after it was closed: another one may have taken its place. */
  #storedKey: StoredKey | undefined
  #changeCount = 0
  #isRepairing = false
  #isEnded = false
  /** False without WebCrypto or IndexedDB (plain HTTP, some private windows), and while something is not stored. */
  isDurable = true
  /** Called when `isDurable` has changed. */
  onChange: () => void = () => {}

  constructor(uid: string, tab: Tab, isSignedIn: () => boolean) {
    this.#uid = uid
    this.#tab = tab
    this.#isSignedIn = isSignedIn
    this.#rowPrefix = `${uid}/row/`
    this.#idbStore = openObjectStore('staffbook', 'vault', () => {
      this.#storedKey = undefined
      void this.#repair()
    })
  }

  /** Whether the database can be used. */
  get isOpen(): boolean {
    return this.#storedKey !== undefined
  }

  /** Never rejects. */
  async open(): Promise<void> {
    await limitTime(enqueue(() => this.#loadKey())).catch(() => this.#fail())
  }

  /** Returns the values of this tab before a reload, and of closed tabs, which it takes over. Rejects if they can't be read. */
  async load(): Promise<StoredValue[]> {
    try {
      const loaded = await limitTime(enqueue(() => this.#load()))
      for (const { id, value } of loaded) this.#values.set(id, value)
      return loaded
    } catch (error) {
      this.#fail()
      throw error
    }
  }

  async #load(): Promise<StoredValue[]> {
    const { key } = this.#getKey()
    const openTabIds = await this.#tab.getOtherTabIds()
    const rows = (await this.#readRows()).filter(([, row]) => !openTabIds.has(row.tab))
    const ownRows = await takeOver(rows, this.#tab.id, this.#idbStore).catch(() => {
      this.#fail()
      return rows
    })
    const loaded = await this.#decryptRows(key, ownRows)
    // Without what this page has stored before it could read.
    return loaded.filter(({ id }) => !this.#values.has(id) && !this.#deletedIds.has(id))
  }

  /** Returns the values of all tabs except for these, after all writes of this tab. Rejects if they can't be read. */
  loadOthers(exceptIds: Set<string>): Promise<StoredValue[]> {
    return limitTime(
      enqueue(async () => this.#decryptRows(this.#getKey().key, await this.#readRows(exceptIds))),
    )
  }

  /**
   * Never rejects, because a value that can't be stored must still be sent. `isDone`: what it replaces must not be sent again, so
   * that is deleted if there is no space.
   */
  async put(id: string, value: unknown, isDone = false): Promise<void> {
    this.#values.set(id, value)
    this.#deletedIds.delete(id)
    await this.#change(async () => {
      // While it waited, a newer one may have been stored, which it must not replace.
      if (this.#values.has(id)) await this.#writeRows([await this.#encryptRow(id, this.#values.get(id))])
    })
    if (!isDone || this.isDurable) return
    const isReplaced = () => this.isDurable || this.#values.get(id) !== value
    const deleteRow = async () => isReplaced() || del(this.#rowPrefix + id, this.#idbStore)
    await limitTime(enqueue(deleteRow)).catch(() => {})
  }

  delete(id: string): Promise<void> {
    this.#values.delete(id)
    this.#deletedIds.add(id)
    return this.#change(async () => {
      if (this.#deletedIds.has(id)) await del(this.#rowPrefix + id, this.#idbStore)
      this.#deletedIds.delete(id)
    })
  }

  /** Deletes all rows of this user and the key. From then on no open tab can store values with this key. */
  wipe(): Promise<void> {
    this.end()
    this.#values.clear()
    const wiped = enqueue(async () => {
      const names = (await keys<string>(this.#idbStore)).filter((name) => name.startsWith(`${this.#uid}/`))
      await delMany(names, this.#idbStore)
    })
    return limitTime(wiped).catch(() => this.#setDurable(false))
  }

  /** Stores nothing any more. */
  end(): void {
    this.#isEnded = true
  }

  #change(write: () => Promise<void>): Promise<void> {
    this.#changeCount += 1
    // While something is not stored, `#repair` writes everything.
    if (this.#isEnded || !this.isDurable) return Promise.resolve()
    return limitTime(enqueue(write)).catch(() => this.#fail())
  }

  #fail(): void {
    this.#setDurable(false)
    void this.#repair()
  }

  #setDurable(isDurable: boolean): void {
    if (isDurable === this.isDurable) return
    this.isDurable = isDurable
    this.onChange()
  }

  /** Opens the database and writes everything, until it is stored. */
  async #repair(): Promise<void> {
    if (this.#isRepairing) return
    this.#isRepairing = true
    const { signal } = new AbortController()
    for (let failures = 0; !this.#isEnded; failures++) {
      const writing = enqueue(() => this.#writeAll())
      try {
        // The page does not say that nothing is stored, unless that lasts.
        await limitTime(writing).catch((error) => {
          this.#setDurable(false)
          throw error
        })
        break
      } catch {}
      // It may only have been slow.
      if (
        await writing.then(
          () => true,
          () => false,
        )
      )
        break
      await backOff(failures, signal)
    }
    this.#isRepairing = false
    this.#setDurable(true)
  }

  async #writeAll(): Promise<void> {
    let changeCount: number
    do {
      changeCount = this.#changeCount
      if (this.#isEnded) return
      await this.#loadKey()
      await this.#readRows()
      const rows = await Promise.all(Array.from(this.#values, ([id, value]) => this.#encryptRow(id, value)))
      const deletedIds = Array.from(this.#deletedIds)
      await this.#writeRows(rows, deletedIds)
      for (const id of deletedIds) this.#deletedIds.delete(id)
    } while (changeCount !== this.#changeCount)
  }

  async #loadKey(): Promise<void> {
    // After a logout in another tab, nothing may be stored under a new key.
    if (!this.#isSignedIn()) throw new Error('Nobody is signed in.')
    this.#storedKey = await loadOrCreateKey(storedKeyName(this.#uid), this.#idbStore)
  }

  #getKey(): StoredKey {
    if (!this.#storedKey) throw new Error('The database is not open.')
    return this.#storedKey
  }

  async #encryptRow(id: string, value: unknown): Promise<NamedRow> {
    const name = this.#rowPrefix + id
    return [name, { tab: this.#tab.id, ...(await encrypt(this.#getKey().key, name, value)) }]
  }

  /** Rejects if a logout in any tab has deleted the key: `#repair` uses the next one, if this user has signed in again. */
  #writeRows(rows: NamedRow[], deletedIds: string[] = []): Promise<void> {
    const { name: keyName } = this.#getKey()
    return this.#idbStore('readwrite', async (stored) => {
      const current = await promisifyRequest<StoredKey | undefined>(stored.get(storedKeyName(this.#uid)))
      if (current?.name !== keyName) throw new Error('The key was replaced.')
      for (const [name, row] of rows) stored.put(row, name)
      for (const id of deletedIds) stored.delete(this.#rowPrefix + id)
      await promisifyRequest(stored.transaction)
    })
  }

  /** Reads this user's rows, except for those with these ids. */
  async #readRows(exceptIds?: Set<string>): Promise<NamedRow[]> {
    const prefix = this.#rowPrefix
    const names = (await keys<string>(this.#idbStore)).filter(
      (name) => name.startsWith(prefix) && !exceptIds?.has(name.slice(prefix.length)),
    )
    const rows = await getMany<EncryptedRow | undefined>(names, this.#idbStore)
    return names.flatMap((name, i): NamedRow[] => (rows[i] ? [[name, rows[i]]] : []))
  }

  /** Leaves out the rows that were encrypted with another key. They stay until the logout. */
  async #decryptRows(key: CryptoKey, rows: NamedRow[]): Promise<StoredValue[]> {
    const decrypted = rows.map(async ([name, row]) => ({
      id: name.slice(this.#rowPrefix.length),
      value: await decrypt(key, name, row).catch(() => undefined),
    }))
    return (await Promise.all(decrypted)).filter(({ value }) => value !== undefined)
  }
}

/** Makes the rows of closed tabs this tab's own. Returns all rows without those that another tab has just taken over. */
function takeOver(rows: NamedRow[], tabId: string, idbStore: UseStore): Promise<NamedRow[]> {
  const ownRows: NamedRow[] = []
  return idbStore('readwrite', async (stored) => {
    for (const [name, row] of rows) {
      const isForeign = row.tab !== tabId
      const current = isForeign ? await promisifyRequest<EncryptedRow | undefined>(stored.get(name)) : row
      if (current?.tab !== row.tab) continue
      if (isForeign) stored.put({ ...row, tab: tabId }, name)
      ownRows.push([name, row])
    }
    return ownRows
  })
}

/** The name is authenticated with the value, so that rows can't be exchanged for one another. */
const getCipherParams = (name: string, iv: Uint8Array<ArrayBuffer>) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(name),
})

async function encrypt(key: CryptoKey, name: string, value: unknown) {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const text = new TextEncoder().encode(JSON.stringify(value))
  return { iv, sealed: await crypto.subtle.encrypt(getCipherParams(name, iv), key, text) }
}

async function decrypt(key: CryptoKey, name: string, { iv, sealed }: Pick<EncryptedRow, 'iv' | 'sealed'>) {
  const text = await crypto.subtle.decrypt(getCipherParams(name, iv), key, sealed)
  return JSON.parse(new TextDecoder().decode(text)) as unknown
}
