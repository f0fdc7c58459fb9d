import { type ReactNode, useCallback, useEffect, useState } from 'react'

/** An announcement is removed after this time, in ms, so that screen reader users do not find it when they read on. */
const announcementDurationMs = 5_000

/** A live region for screen readers only. It announces changes that are visible elsewhere on the page. */
export function useLiveRegion(): { liveRegion: ReactNode; announce(message: ReactNode): void } {
  const [announcement, setAnnouncement] = useState<{ message: ReactNode; id: number }>({
    message: null,
    id: 0,
  })
  const announce = useCallback(
    (message: ReactNode) => setAnnouncement(({ id }) => ({ message, id: id + 1 })),
    [],
  )

  useEffect(() => {
    if (!announcement.message) return
    const timer = setTimeout(() => announce(null), announcementDurationMs)
    return () => clearTimeout(timer)
  }, [announcement, announce])

  // A new key for each announcement, so that screen readers announce a repeated message.
  const liveRegion = (
    <div role="status" className="visually-hidden">
      {announcement.message && <span key={announcement.id}>{announcement.message}</span>}
    </div>
  )
  return { liveRegion, announce }
}
