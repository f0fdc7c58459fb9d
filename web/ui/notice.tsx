import { type ReactNode, useCallback, useEffect, useState } from 'react'
import styles from './notice.module.css'

/** How long a notice stays, in ms. */
const noticeStays = 5_000

/** A line at the foot of the page that says what has just been done, and goes by itself. */
export function useNotice(): { notice: ReactNode; say(words: string): void } {
  const [said, setSaid] = useState({ words: '', turn: 0 })
  const say = useCallback((words: string) => setSaid(({ turn }) => ({ words, turn: turn + 1 })), [])

  useEffect(() => {
    if (!said.words) return
    const timer = setTimeout(() => say(''), noticeStays)
    return () => clearTimeout(timer)
  }, [said, say])

  // A new element each time, so that the same words are announced again.
  const notice = (
    <div role="status" className={styles.notice}>
      {said.words && (
        <p key={said.turn} className={styles.words}>
          {said.words}
        </p>
      )}
    </div>
  )
  return { notice, say }
}
