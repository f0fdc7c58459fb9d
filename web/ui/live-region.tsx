import { type ReactNode, useCallback, useEffect, useState } from 'react'

/** What was said goes again after this, in ms, so that who reads on does not come upon it. */
const announcementDurationMs = 5_000

/** A line for screen readers alone, of what has just been done and can be seen. */
export function useLiveRegion(): { liveRegion: ReactNode; announce(words: ReactNode): void } {
  const [announcement, setAnnouncement] = useState<{ message: ReactNode; id: number }>({
    message: null,
    id: 0,
  })
  const announce = useCallback(
    (words: ReactNode) => setAnnouncement(({ id }) => ({ message: words, id: id + 1 })),
    [],
  )

  useEffect(() => {
    if (!announcement.message) return
    const timer = setTimeout(() => announce(null), announcementDurationMs)
    return () => clearTimeout(timer)
  }, [announcement, announce])

  // A new element each time, so that the same words are announced again.
  const liveRegion = (
    <div role="status" className="visually-hidden">
      {announcement.message && <span key={announcement.id}>{announcement.message}</span>}
    </div>
  )
  return { liveRegion, announce }
}
