import { type ReactNode, useCallback, useEffect, useState } from 'react'

/** What was said goes again after this, in ms, so that who reads on does not come upon it. */
const spokenStays = 5_000

/** A line for screen readers alone, of what has just been done and can be seen. */
export function useSpoken(): { spoken: ReactNode; speak(words: ReactNode): void } {
  const [said, setSaid] = useState<{ words: ReactNode; turn: number }>({ words: null, turn: 0 })
  const speak = useCallback((words: ReactNode) => setSaid(({ turn }) => ({ words, turn: turn + 1 })), [])

  useEffect(() => {
    if (!said.words) return
    const timer = setTimeout(() => speak(null), spokenStays)
    return () => clearTimeout(timer)
  }, [said, speak])

  // A new element each time, so that the same words are announced again.
  const spoken = (
    <div role="status" className="visually-hidden">
      {said.words && <span key={said.turn}>{said.words}</span>}
    </div>
  )
  return { spoken, speak }
}
