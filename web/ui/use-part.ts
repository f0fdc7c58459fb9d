import { useEffect, useState } from 'react'

/**
 * A part of the page that is loaded when it is first wanted; null until it is there. Where it can't be loaded (offline,
 * or a newer version has taken its place on the server), it is tried again the next time it is wanted.
 */
export function usePart<T>(load: () => Promise<T>, isWanted: boolean): T | null {
  const [part, setPart] = useState<{ it: T } | null>(null)
  useEffect(() => {
    if (!isWanted || part) return
    load().then(
      (it) => setPart({ it }),
      (error) => console.warn('A part of the page could not be loaded:', error),
    )
  }, [isWanted, part, load])
  return part?.it ?? null
}
