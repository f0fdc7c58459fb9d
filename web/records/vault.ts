import { createStore, delMany, entries, get, set, type UseStore, update } from 'idb-keyval'

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
  /** The values left by this tab before a reload, and by tabs that are gone. */
  load(): Promise<{ id: string; value: unknown }[]>
  /** Never rejects: that a value can't be kept must not stop it from being sent. */
  put(id: string, value: unknown): Promise<void>
  delete(id: string): Promise<void>
  /** Forgets everything of this user, in every tab, and the key itself; and keeps nothing from then on. */
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
    await get('probe', store)
    return createVault(uid, tab, store)
  } catch {
    return forgetfulVault
  }
}

function createVault(uid: string, tab: Tab, store: UseStore): Vault {
  const keyName = `${uid}/key`
  const rowName = (id: string) => `${uid}/row/${id}`
  const isOurs = (name: string) => name.startsWith(`${uid}/`)

  async function findKey(): Promise<CryptoKey> {
    const kept = await get<CryptoKey>(keyName, store)
    if (kept) return kept
    const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
      'decrypt',
    ])
    // Another tab may have made one in the meantime; then that one counts.
    await update<CryptoKey>(keyName, (present) => present ?? made, store)
    return (await get<CryptoKey>(keyName, store)) ?? made
  }

  let wiped = false
  let lasting = true
  let key: Promise<CryptoKey> | undefined
  const currentKey = () => {
    key ??= findKey()
    return key
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
    return {
      tab: tab.id,
      iv,
      sealed: await crypto.subtle.encrypt(cipher(name, iv), await currentKey(), text),
    }
  }

  async function unseal(name: string, row: Row): Promise<unknown> {
    const text = await crypto.subtle.decrypt(cipher(name, row.iv), await currentKey(), row.sealed)
    return JSON.parse(new TextDecoder().decode(text))
  }

  return {
    get lasting() {
      return lasting
    },

    async load() {
      const others = await tab.othersAlive()
      const found: { id: string; value: unknown }[] = []
      for (const [name, row] of await entries<string, Row>(store)) {
        if (!name.startsWith(rowName('')) || others.has(row.tab)) continue
        // A row that a vanished key has sealed can never be read again.
        const value = await unseal(name, row).catch(() => undefined)
        if (value !== undefined) found.push({ id: name.slice(rowName('').length), value })
      }
      return found
    },

    async put(id, value) {
      if (wiped) return
      try {
        const row = await seal(rowName(id), value)
        // The user may have logged out while it was sealed.
        if (!wiped) await set(rowName(id), row, store)
      } catch {
        lasting = false
      }
    },

    async delete(id) {
      await delMany([rowName(id)], store).catch(() => {
        lasting = false
      })
    },

    async wipe() {
      wiped = true
      const names = (await entries<string, unknown>(store)).map(([name]) => name)
      await delMany(names.filter(isOurs), store)
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

const lockName = (id: string) => `staffbook-tab-${id}`

/**
 * Claims this tab's id for as long as the page lives, by a Web Lock, which the browser lets go when the page is gone
 * however it went. A duplicated tab brings the id of its original along and gets one of its own.
 */
export async function claimTab(): Promise<Tab> {
  const remembered = sessionStorage.getItem('tab')
  const id = remembered && (await hold(remembered)) ? remembered : newTabId()
  if (id !== remembered) await hold(id)
  sessionStorage.setItem('tab', id)
  return {
    id,
    async othersAlive() {
      const { held = [] } = (await navigator.locks?.query()) ?? {}
      const prefix = lockName('')
      const ids = held.map(({ name = '' }) => name).filter((name) => name.startsWith(prefix))
      return new Set(ids.map((name) => name.slice(prefix.length)).filter((other) => other !== id))
    },
  }
}

function newTabId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** Waits half a second: at a reload, the page that was may not have let go yet. */
function hold(id: string): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true)
  return new Promise((resolve) => {
    const held = new Promise<void>(() => {})
    navigator.locks
      .request(lockName(id), { signal: AbortSignal.timeout(500) }, () => {
        resolve(true)
        return held
      })
      .catch(() => resolve(false))
  })
}
