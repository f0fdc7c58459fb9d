import { useEffect, useRef, useState } from 'react'

/** What there is to say to a person where a part is missing. */
export const loadFailedMessage = 'This could not be loaded. Please check your connection, or reload the page.'

/**
 * A part of the page that is loaded when it is first wanted; null until it is there. Where it can't be loaded (offline,
 * or a newer version has taken its place on the server), `onMissing` is told, and it is tried again the next time it is
 * wanted.
 */
export function useLazyModule<T>(
  load: () => Promise<T>,
  isWanted: boolean,
  onLoadError?: () => void,
): T | null {
  const [loaded, setLoaded] = useState<{ it: T } | null>(null)
  const latestOnLoadError = useRef(onLoadError)
  latestOnLoadError.current = onLoadError
  useEffect(() => {
    if (!isWanted || loaded) return
    load().then(
      (it) => setLoaded({ it }),
      (error) => {
        console.warn('A part of the page could not be loaded:', error)
        latestOnLoadError.current?.()
      },
    )
  }, [isWanted, loaded, load])
  return loaded?.it ?? null
}
