import {
  createStore,
  del,
  delMany,
  get,
  getMany,
  keys,
  promisifyRequest,
  type UseStore,
  update,
} from 'idb-keyval'
import { newIdempotencyKey } from '../../../backends/idempotency-key.ts'
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

export type EncryptedStore = Pick<EncryptedRows, keyof EncryptedRows>

export const nullStore: EncryptedStore = {
  isDurable: false,
  load: async () => [],
  loadOthers: async () => [],
  put: async () => {},
  delete: async () => {},
  wipe: async () => {},
}

/** Opens the store of a user, or `nullStore` if this browser can't encrypt or has no database. */
export async function openEncryptedStore(uid: string, tab: Tab): Promise<EncryptedStore> {
  if (!globalThis.crypto?.subtle || !globalThis.indexedDB) return nullStore
  try {
    const idbStore = createStore('staffbook', 'vault')
    return new EncryptedRows(uid, tab, idbStore, await loadOrCreateKey(storedKeyName(uid), idbStore))
  } catch {
    return nullStore
  }
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

/** The writes of this page run in order: a row is deleted after its replacement is stored, and a read sees what was stored. */
let lastWrite: Promise<void> = Promise.resolve()

/**
 * Stores unsaved input across reloads, encrypted with a non-extractable WebCrypto key, so that no password is readable in
 * the browser's storage. A row belongs to a user and a tab; the next tab that opens takes over the rows of closed tabs.
 */
class EncryptedRows {
  readonly #uid: string
  readonly #tab: Tab
  readonly #idbStore: UseStore
  readonly #storedKey: StoredKey
  readonly #rowPrefix: string
  /** False without WebCrypto or IndexedDB (plain HTTP, some private windows), and once the database has rejected an access. */
  isDurable = true

  constructor(uid: string, tab: Tab, idbStore: UseStore, storedKey: StoredKey) {
    this.#uid = uid
    this.#tab = tab
    this.#idbStore = idbStore
    this.#storedKey = storedKey
    this.#rowPrefix = `${uid}/row/`
  }

  /** Returns the values of this tab before a reload, and of closed tabs, which it takes over. Rejects if they can't be read. */
  async load(): Promise<StoredValue[]> {
    await lastWrite
    try {
      const openTabIds = await this.#tab.getOtherTabIds()
      const rows = (await this.#readRows()).filter(([, row]) => !openTabIds.has(row.tab))
      const ownRows = await takeOver(rows, this.#tab.id, this.#idbStore).catch(() => {
        this.isDurable = false
        return rows
      })
      return await this.#decryptRows(ownRows)
    } catch (error) {
      this.isDurable = false
      throw error
    }
  }

  /** Returns the values of all tabs except for these, after all writes of this tab. Rejects if they can't be read. */
  async loadOthers(exceptIds: Set<string>): Promise<StoredValue[]> {
    await lastWrite
    return this.#decryptRows(await this.#readRows(exceptIds))
  }

  /** Never rejects, because a value that can't be stored must still be sent. */
  put(id: string, value: unknown): Promise<void> {
    const name = this.#rowPrefix + id
    return this.#enqueueWrite(async () =>
      this.#writeRow(name, { tab: this.#tab.id, ...(await encrypt(this.#storedKey.key, name, value)) }),
    )
  }

  delete(id: string): Promise<void> {
    return this.#enqueueWrite(() => del(this.#rowPrefix + id, this.#idbStore))
  }

  /** Deletes all rows of this user and the key. From then on no open tab can store values with this key. */
  wipe(): Promise<void> {
    return this.#enqueueWrite(async () => {
      const names = (await keys<string>(this.#idbStore)).filter((name) => name.startsWith(`${this.#uid}/`))
      await delMany(names, this.#idbStore)
    })
  }

  #enqueueWrite(write: () => Promise<void>): Promise<void> {
    lastWrite = lastWrite.then(write).catch(() => {
      this.isDurable = false
    })
    return lastWrite
  }

  /** Writes nothing if a logout in any tab has deleted the key, or if the key has been replaced since. */
  #writeRow(name: string, row: EncryptedRow): Promise<void> {
    return this.#idbStore('readwrite', async (rows) => {
      const current = await promisifyRequest<StoredKey | undefined>(rows.get(storedKeyName(this.#uid)))
      if (current?.name === this.#storedKey.name) await promisifyRequest(rows.put(row, name))
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
  async #decryptRows(rows: NamedRow[]): Promise<StoredValue[]> {
    const decrypted = rows.map(async ([name, row]) => ({
      id: name.slice(this.#rowPrefix.length),
      value: await decrypt(this.#storedKey.key, name, row).catch(() => undefined),
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
