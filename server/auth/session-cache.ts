/** How long another process's doing may stay unseen, in milliseconds. */
const shortWhile = 1000
const most = 10_000

/**
 * Remembers what was found for a short while, so that it need not be looked up with every request. Being asked for does
 * not make the while longer.
 */
export function createRecent<T>(now: () => number = () => performance.now()) {
  const values = new Map<string, { value: T; until: number }>()
  return {
    get(key: string): T | undefined {
      const found = values.get(key)
      if (found && found.until > now()) return found.value
      values.delete(key)
      return
    },
    set(key: string, value: T) {
      if (values.size >= most) values.clear()
      values.set(key, { value, until: now() + shortWhile })
    },
    clear: () => values.clear(),
  }
}
