import { newIdempotencyKey } from '../../../backends/idempotency-key.ts'
import { tabStorage } from '../../../lib/stored-state.ts'

export interface Tab {
  /** Stays the same across reloads. */
  id: string
  getOtherTabIds(): Promise<Set<string>>
}

const lockPrefix = 'staffbook-tab-'

/** Claims the id of this tab with a Web Lock, which ends with the page. A duplicated tab has its original's id; it gets another. */
export async function claimTab(): Promise<Tab> {
  const storedId = tabStorage.read('tab')
  const id = storedId && (await acquireLock(storedId)) ? storedId : newIdempotencyKey()
  if (id !== storedId) await acquireLock(id)
  tabStorage.write('tab', id)
  return {
    id,
    async getOtherTabIds() {
      const { held = [] } = (await navigator.locks?.query()) ?? {}
      const names = held.map(({ name = '' }) => name).filter((name) => name.startsWith(lockPrefix))
      return new Set(names.map((name) => name.slice(lockPrefix.length)).filter((other) => other !== id))
    },
  }
}

/** A reload frees the lock, but on a busy machine the previous page may take seconds to release it. */
function getLockTimeoutMs(): number {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'reload' ? 10_000 : 500
}

/** Holds the lock until the page is gone. Resolves to false if another page still holds it after the timeout. */
function acquireLock(id: string): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true)
  return new Promise((resolve) => {
    const never = new Promise<void>(() => {})
    navigator.locks
      .request(lockPrefix + id, { signal: AbortSignal.timeout(getLockTimeoutMs()) }, () => {
        resolve(true)
        return never
      })
      .catch(() => resolve(false))
  })
}
