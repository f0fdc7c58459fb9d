import { useEffect, useRef, useState } from 'react'

/** What there is to say to a person where a part is missing. */
export const partIsMissing = 'This could not be loaded. Please check your connection, or reload the page.'

/**
 * A part of the page that is loaded when it is first wanted; null until it is there. Where it can't be loaded (offline,
 * or a newer version has taken its place on the server), `onMissing` is told, and it is tried again the next time it is
 * wanted.
 */
export function usePart<T>(load: () => Promise<T>, isWanted: boolean, onMissing?: () => void): T | null {
  const [part, setPart] = useState<{ it: T } | null>(null)
  const latest = useRef(onMissing)
  latest.current = onMissing
  useEffect(() => {
    if (!isWanted || part) return
    load().then(
      (it) => setPart({ it }),
      (error) => {
        console.warn('A part of the page could not be loaded:', error)
        latest.current?.()
      },
    )
  }, [isWanted, part, load])
  return part?.it ?? null
}
