/** How long another process's doing may stay unseen, in milliseconds. */
const cacheTtlMs = 1000
const maxEntries = 10_000

/**
 * Remembers what was found for a short while, so that it need not be looked up with every request. Being asked for does
 * not make the while longer.
 */
export function createSessionCache<T>(now: () => number = () => performance.now()) {
  const entries = new Map<string, { value: T; expiresAt: number }>()
  return {
    get(key: string): T | undefined {
      const entry = entries.get(key)
      if (entry && entry.expiresAt > now()) return entry.value
      entries.delete(key)
      return
    },
    set(key: string, value: T) {
      if (entries.size >= maxEntries) entries.clear()
      entries.set(key, { value, expiresAt: now() + cacheTtlMs })
    },
    clear: () => entries.clear(),
  }
}
