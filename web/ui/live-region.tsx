import { type ReactNode, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { actAfter } from '../lib/dom.ts'
import { messageDurationMs, Text } from './message.tsx'

/** A live region for screen readers only. It announces changes that are visible elsewhere on the page. */
export function useLiveRegion(): { liveRegion: ReactNode; announce(message: ReactNode): void } {
  const [announcement, setAnnouncement] = useState({ message: null as ReactNode, id: 0 })
  const announce = useCallback(
    (message: ReactNode) => setAnnouncement(({ id }) => ({ message, id: id + 1 })),
    [],
  )

  useEffect(() => {
    // So that screen reader users do not find it when they read on.
    if (announcement.message) return actAfter(messageDurationMs, () => announce(null))
  }, [announcement, announce])

  // A new key for each announcement, so that screen readers announce a repeated message.
  const liveRegion = (
    <div role="status" className="visually-hidden">
      {announcement.message && (
        <span key={announcement.id}>
          <Text>{announcement.message}</Text>
        </span>
      )}
    </div>
  )
  return { liveRegion, announce }
}

/** Calls `announceNew` with the items that have appeared since the last render. Those of the first one are not new. */
export function useAnnounceNew<T>(
  items: readonly T[],
  getKey: (item: T) => string,
  announceNew: (newItems: readonly T[]) => void,
): void {
  const knownKeys = useRef<ReadonlySet<string>>(null)
  const announceAdded = useEffectEvent(() => {
    const known = knownKeys.current
    knownKeys.current = new Set(items.map(getKey))
    const added = known ? items.filter((item) => !known.has(getKey(item))) : []
    if (added.length > 0) announceNew(added)
  })
  // After every render, because the caller filters its items anew.
  useEffect(() => announceAdded())
}
