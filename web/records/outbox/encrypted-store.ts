import { createStore, del, delMany, entries, get, promisifyRequest, type UseStore, update } from 'idb-keyval'

/**
 * Keeps what is typed and not yet saved across a reload, encrypted under a key that never leaves the browser's
 * WebCrypto: no password lies readable in any storage. Rows belong to a user and to a tab; rows of tabs that are gone
 * go to the next tab that opens.
 */
export interface EncryptedStore {
  /**
   * False where the browser has no WebCrypto or no database (plain HTTP, some private windows), and from the moment on
   * in which the database has refused a write: then not everything is kept.
   */
  readonly isDurable: boolean
  /** The values left by this tab before a reload, and by tabs that are gone. Rejects where they can't be read. */
  load(): Promise<{ id: string; value: unknown }[]>
  /** Never rejects: that a value can't be kept must not stop it from being sent. */
  put(id: string, value: unknown): Promise<void>
  delete(id: string): Promise<void>
  /** Forgets everything of this user and the key itself; from then on no tab keeps anything that this key has sealed. */
  wipe(): Promise<void>
}

interface EncryptedRow {
  tab: string
  iv: Uint8Array<ArrayBuffer>
  sealed: ArrayBuffer
}

export const nullStore: EncryptedStore = {
  isDurable: false,
  load: async () => [],
  put: async () => {},
  delete: async () => {},
  wipe: async () => {},
}

/** Opens the vault of a user, or a forgetful one where this browser cannot keep secrets. */
export async function openEncryptedStore(uid: string, tab: Tab): Promise<EncryptedStore> {
  if (!globalThis.crypto?.subtle || !globalThis.indexedDB) return nullStore
  try {
    const idbStore = createStore('staffbook', 'vault')
    return createEncryptedStore(uid, tab, idbStore, await loadOrCreateKey(storedKeyName(uid), idbStore))
  } catch {
    return nullStore
  }
}

/** The key of a user's rows. It has a name of its own, so that a tab knows when the key has become another. */
interface StoredKey {
  key: CryptoKey
  name: string
}

const storedKeyName = (uid: string) => `${uid}/key`

async function loadOrCreateKey(name: string, idbStore: UseStore): Promise<StoredKey> {
  const present = await get<StoredKey>(name, idbStore)
  if (present) return present
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  // One that is there already counts; it may be another tab's, made in this moment.
  await update<StoredKey>(name, (present) => present ?? { key, name: createRandomId() }, idbStore)
  const storedKey = await get<StoredKey>(name, idbStore)
  if (!storedKey) throw new Error('The browser keeps nothing.')
  return storedKey
}

function createEncryptedStore(
  uid: string,
  tab: Tab,
  idbStore: UseStore,
  storedKey: StoredKey,
): EncryptedStore {
  const rowName = (id: string) => `${uid}/row/${id}`
  let isDurable = true
  /** What is asked for is done in that order, so that nothing is forgotten before what takes its place is kept. */
  let lastWrite: Promise<void> = Promise.resolve()

  function enqueueSerial(work: () => Promise<void>): Promise<void> {
    lastWrite = lastWrite.then(work).catch(() => {
      isDurable = false
    })
    return lastWrite
  }

  // Binding a row to its name, so that rows cannot be swapped for one another.
  const getCipherParams = (name: string, iv: Uint8Array<ArrayBuffer>) => ({
    name: 'AES-GCM',
    iv,
    additionalData: new TextEncoder().encode(name),
  })

  async function encrypt(name: string, value: unknown): Promise<EncryptedRow> {
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const text = new TextEncoder().encode(JSON.stringify(value))
    return {
      tab: tab.id,
      iv,
      sealed: await crypto.subtle.encrypt(getCipherParams(name, iv), storedKey.key, text),
    }
  }

  async function decrypt(name: string, row: EncryptedRow): Promise<unknown> {
    const text = await crypto.subtle.decrypt(getCipherParams(name, row.iv), storedKey.key, row.sealed)
    return JSON.parse(new TextDecoder().decode(text))
  }

  /** Keeps a row only under the key that sealed it: after a logout, in whatever tab, there is no such key any more. */
  function writeRow(name: string, row: EncryptedRow): Promise<void> {
    return idbStore('readwrite', async (rows) => {
      const present = await promisifyRequest<StoredKey | undefined>(rows.get(storedKeyName(uid)))
      if (present?.name === storedKey.name) await promisifyRequest(rows.put(row, name))
    })
  }

  async function readRows() {
    const otherTabIds = await tab.getOtherTabIds()
    const found: { id: string; value: unknown }[] = []
    for (const [name, row] of await entries<string, EncryptedRow>(idbStore)) {
      if (!name.startsWith(rowName('')) || otherTabIds.has(row.tab)) continue
      const value = await decrypt(name, row).catch(() => undefined)
      // What another key has sealed can never be read again.
      if (value === undefined) await del(name, idbStore)
      else found.push({ id: name.slice(rowName('').length), value })
    }
    return found
  }

  return {
    get isDurable() {
      return isDurable
    },

    load() {
      return readRows().catch((error) => {
        isDurable = false
        throw error
      })
    },

    put(id, value) {
      return enqueueSerial(async () => writeRow(rowName(id), await encrypt(rowName(id), value)))
    },

    delete(id) {
      return enqueueSerial(() => del(rowName(id), idbStore))
    },

    wipe() {
      return enqueueSerial(async () => {
        const names = (await entries<string, unknown>(idbStore)).map(([name]) => name)
        const ours = names.filter((name) => name.startsWith(`${uid}/`))
        await delMany(ours, idbStore)
      })
    },
  }
}

/** This tab, as told apart from the other open tabs of the same browser. */
export interface Tab {
  /** The same after a reload. */
  id: string
  /** The ids of the other tabs that are open now. */
  getOtherTabIds(): Promise<Set<string>>
}

const tabLockName = (id: string) => `staffbook-tab-${id}`

/**
 * Claims this tab's id for as long as the page lives, by a Web Lock, which the browser lets go when the page is gone
 * however it went. A duplicated tab brings the id of its original along and gets one of its own.
 */
export async function claimTab(): Promise<Tab> {
  const storedId = sessionStorage.getItem('tab')
  const id = storedId && (await acquireTabLock(storedId)) ? storedId : createRandomId()
  if (id !== storedId) await acquireTabLock(id)
  sessionStorage.setItem('tab', id)
  return {
    id,
    async getOtherTabIds() {
      const { held = [] } = (await navigator.locks?.query()) ?? {}
      const prefix = tabLockName('')
      const ids = held.map(({ name = '' }) => name).filter((name) => name.startsWith(prefix))
      return new Set(ids.map((name) => name.slice(prefix.length)).filter((other) => other !== id))
    },
  }
}

function createRandomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** At a reload the id is ours, but the page that was may take its time to let go of it, on a busy machine. */
function getLockTimeoutMs(): number {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'reload' ? 10_000 : 500
}

/** False where another page holds the id, and goes on holding it. */
function acquireTabLock(id: string): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true)
  return new Promise((resolve) => {
    const heldForever = new Promise<void>(() => {})
    navigator.locks
      .request(tabLockName(id), { signal: AbortSignal.timeout(getLockTimeoutMs()) }, () => {
        resolve(true)
        return heldForever
      })
      .catch(() => resolve(false))
  })
}
