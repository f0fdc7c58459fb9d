import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import styles from './notice.module.css'

/** How long a notice stays, in ms. */
const noticeStays = 5_000

/** What can be done about a notice. */
interface NoticeAction {
  label: string
  onPress(): void
  /** Where it is given, the notice stays for as long as this holds, until it is dismissed or another one comes. */
  stays?(): boolean
}

export type Say = (words: string, action?: NoticeAction) => void

interface Said {
  words: string
  action?: NoticeAction | undefined
  turn: number
}

/**
 * A line at the foot of the page that says what has just been done, and goes by itself. `onLeft`: it has gone while it
 * had the focus.
 */
export function useNotice(onLeft?: () => void): { notice: ReactNode; say: Say } {
  const [said, setSaid] = useState<Said>({ words: '', turn: 0 })
  const say = useCallback<Say>((words, action) => {
    setSaid(({ turn }) => ({ words, action, turn: turn + 1 }))
  }, [])
  const { words, action, turn } = said

  useEffect(() => {
    if (!said.words || said.action?.stays) return
    const timer = setTimeout(() => say(''), noticeStays)
    return () => clearTimeout(timer)
  }, [said, say])

  function dismiss() {
    say('')
    onLeft?.()
  }

  // A new element each time, so that the same words are announced again.
  const notice = (
    <div role="status" className={styles.notice}>
      {words && action?.stays?.() !== false && (
        <div key={turn} className={styles.line}>
          <p className={styles.words}>{words}</p>
          {action && (
            <Button
              className={styles.action}
              onClick={() => {
                say('')
                action.onPress()
              }}
            >
              {action.label}
            </Button>
          )}
          {action?.stays && (
            <Button
              look="icon"
              className={styles.action}
              aria-label="Dismiss"
              title="Dismiss"
              onClick={dismiss}
            >
              <Icon name="x" />
            </Button>
          )}
        </div>
      )}
    </div>
  )
  return { notice, say }
}
