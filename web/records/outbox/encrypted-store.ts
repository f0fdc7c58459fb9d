import { createStore, del, delMany, entries, get, promisifyRequest, type UseStore, update } from 'idb-keyval'

/**
 * Keeps what is typed and not yet saved across a reload, encrypted under a key that never leaves the browser's
 * WebCrypto: no password lies readable in any storage. Rows belong to a user and to a tab; rows of tabs that are gone
 * go to the next tab that opens.
 */
export interface Vault {
  /**
   * False where the browser has no WebCrypto or no database (plain HTTP, some private windows), and from the moment on
   * in which the database has refused a write: then not everything is kept.
   */
  readonly lasting: boolean
  /** The values left by this tab before a reload, and by tabs that are gone. Rejects where they can't be read. */
  load(): Promise<{ id: string; value: unknown }[]>
  /** Never rejects: that a value can't be kept must not stop it from being sent. */
  put(id: string, value: unknown): Promise<void>
  delete(id: string): Promise<void>
  /** Forgets everything of this user and the key itself; from then on no tab keeps anything that this key has sealed. */
  wipe(): Promise<void>
}

interface Row {
  tab: string
  iv: Uint8Array<ArrayBuffer>
  sealed: ArrayBuffer
}

export const forgetfulVault: Vault = {
  lasting: false,
  load: async () => [],
  put: async () => {},
  delete: async () => {},
  wipe: async () => {},
}

/** Opens the vault of a user, or a forgetful one where this browser cannot keep secrets. */
export async function openVault(uid: string, tab: Tab): Promise<Vault> {
  if (!globalThis.crypto?.subtle || !globalThis.indexedDB) return forgetfulVault
  try {
    const store = createStore('staffbook', 'vault')
    return createVault(uid, tab, store, await findLock(lockName(uid), store))
  } catch {
    return forgetfulVault
  }
}

/** The key of a user's rows. It has a name of its own, so that a tab knows when the key has become another. */
interface Lock {
  key: CryptoKey
  name: string
}

const lockName = (uid: string) => `${uid}/key`

async function findLock(name: string, store: UseStore): Promise<Lock> {
  const present = await get<Lock>(name, store)
  if (present) return present
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  // One that is there already counts; it may be another tab's, made in this moment.
  await update<Lock>(name, (present) => present ?? { key, name: randomName() }, store)
  const lock = await get<Lock>(name, store)
  if (!lock) throw new Error('The browser keeps nothing.')
  return lock
}

function createVault(uid: string, tab: Tab, store: UseStore, lock: Lock): Vault {
  const rowName = (id: string) => `${uid}/row/${id}`
  let lasting = true
  /** What is asked for is done in that order, so that nothing is forgotten before what takes its place is kept. */
  let last: Promise<void> = Promise.resolve()

  function inTurn(work: () => Promise<void>): Promise<void> {
    last = last.then(work).catch(() => {
      lasting = false
    })
    return last
  }

  // Binding a row to its name, so that rows cannot be swapped for one another.
  const cipher = (name: string, iv: Uint8Array<ArrayBuffer>) => ({
    name: 'AES-GCM',
    iv,
    additionalData: new TextEncoder().encode(name),
  })

  async function seal(name: string, value: unknown): Promise<Row> {
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const text = new TextEncoder().encode(JSON.stringify(value))
    return { tab: tab.id, iv, sealed: await crypto.subtle.encrypt(cipher(name, iv), lock.key, text) }
  }

  async function unseal(name: string, row: Row): Promise<unknown> {
    const text = await crypto.subtle.decrypt(cipher(name, row.iv), lock.key, row.sealed)
    return JSON.parse(new TextDecoder().decode(text))
  }

  /** Keeps a row only under the key that sealed it: after a logout, in whatever tab, there is no such key any more. */
  function keep(name: string, row: Row): Promise<void> {
    return store('readwrite', async (rows) => {
      const present = await promisifyRequest<Lock | undefined>(rows.get(lockName(uid)))
      if (present?.name === lock.name) await promisifyRequest(rows.put(row, name))
    })
  }

  async function read() {
    const others = await tab.othersAlive()
    const found: { id: string; value: unknown }[] = []
    for (const [name, row] of await entries<string, Row>(store)) {
      if (!name.startsWith(rowName('')) || others.has(row.tab)) continue
      const value = await unseal(name, row).catch(() => undefined)
      // What another key has sealed can never be read again.
      if (value === undefined) await del(name, store)
      else found.push({ id: name.slice(rowName('').length), value })
    }
    return found
  }

  return {
    get lasting() {
      return lasting
    },

    load() {
      return read().catch((error) => {
        lasting = false
        throw error
      })
    },

    put(id, value) {
      return inTurn(async () => keep(rowName(id), await seal(rowName(id), value)))
    },

    delete(id) {
      return inTurn(() => del(rowName(id), store))
    },

    wipe() {
      return inTurn(async () => {
        const names = (await entries<string, unknown>(store)).map(([name]) => name)
        const ours = names.filter((name) => name.startsWith(`${uid}/`))
        await delMany(ours, store)
      })
    },
  }
}

/** This tab, as told apart from the other open tabs of the same browser. */
export interface Tab {
  /** The same after a reload. */
  id: string
  /** The ids of the other tabs that are open now. */
  othersAlive(): Promise<Set<string>>
}

const tabLock = (id: string) => `staffbook-tab-${id}`

/**
 * Claims this tab's id for as long as the page lives, by a Web Lock, which the browser lets go when the page is gone
 * however it went. A duplicated tab brings the id of its original along and gets one of its own.
 */
export async function claimTab(): Promise<Tab> {
  const remembered = sessionStorage.getItem('tab')
  const id = remembered && (await hold(remembered)) ? remembered : randomName()
  if (id !== remembered) await hold(id)
  sessionStorage.setItem('tab', id)
  return {
    id,
    async othersAlive() {
      const { held = [] } = (await navigator.locks?.query()) ?? {}
      const prefix = tabLock('')
      const ids = held.map(({ name = '' }) => name).filter((name) => name.startsWith(prefix))
      return new Set(ids.map((name) => name.slice(prefix.length)).filter((other) => other !== id))
    },
  }
}

function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** At a reload the id is ours, but the page that was may take its time to let go of it, on a busy machine. */
function patience(): number {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'reload' ? 10_000 : 500
}

/** False where another page holds the id, and goes on holding it. */
function hold(id: string): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true)
  return new Promise((resolve) => {
    const held = new Promise<void>(() => {})
    navigator.locks
      .request(tabLock(id), { signal: AbortSignal.timeout(patience()) }, () => {
        resolve(true)
        return held
      })
      .catch(() => resolve(false))
  })
}
