import {
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useSteady } from '../lib/use-stable-callbacks.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import styles from './toast.module.css'

/** How long a notice stays that nobody is busy with, in ms. */
const noticeStays = 5_000

/** What can be done about a notice. */
interface NoticeAction {
  label: string
  onPress(): void
  /** False once there is nothing left to be done: then the notice goes. */
  holds?(): boolean
  /** The notice stays until it is dismissed or another one comes. */
  stays?: boolean
}

export type Say = (words: ReactNode, action?: NoticeAction) => void

interface Said {
  words: ReactNode
  action?: NoticeAction | undefined
  turn: number
}

/**
 * A line at the foot of the page that says what has just been done, and goes by itself. `onLeft`: it has gone while it
 * had the focus.
 */
export function useNotice(onLeft = () => {}): { notice: ReactNode; say: Say } {
  const [{ words, action, turn }, setSaid] = useState<Said>({ words: null, turn: 0 })
  const say = useCallback<Say>((words, action) => {
    setSaid(({ turn }) => ({ words, action, turn: turn + 1 }))
  }, [])
  const parts = useSteady({ onLeft, onGone: () => say(null) })

  // A new element each time, so that the same words are announced again.
  const notice = (
    <div role="status" className={styles.notice}>
      {words && action?.holds?.() !== false && <Notice key={turn} words={words} action={action} {...parts} />}
    </div>
  )
  return { notice, say }
}

interface NoticeProps extends Omit<Said, 'turn'> {
  onGone(): void
  onLeft(): void
}

function Notice({ words, action, onGone, onLeft }: NoticeProps) {
  const line = useRef<HTMLDivElement>(null)
  const { isAttended, attending } = useAttention()
  const stays = action?.stays || isAttended

  useEffect(() => {
    if (stays) return
    const timer = setTimeout(onGone, noticeStays)
    return () => clearTimeout(timer)
  }, [stays, onGone])

  useLayoutEffect(() => {
    const element = line.current
    return () => {
      if (element?.contains(document.activeElement)) onLeft()
    }
  }, [onLeft])

  function press({ currentTarget }: MouseEvent<HTMLElement>) {
    // What is done has a place of its own for the focus.
    currentTarget.blur()
    onGone()
    action?.onPress()
  }

  return (
    <div ref={line} className={styles.line} {...attending}>
      <p className={styles.words}>{words}</p>
      {action && (
        <Button className={styles.action} onClick={press}>
          {action.label}
        </Button>
      )}
      {action?.stays && (
        <Button look="icon" className={styles.action} aria-label="Dismiss" title="Dismiss" onClick={onGone}>
          <Icon name="x" />
        </Button>
      )}
    </div>
  )
}

/** Whether somebody has the focus or the pointer in an element. */
function useAttention() {
  const [hasFocus, setFocus] = useState(false)
  const [hasPointer, setPointer] = useState(false)
  return {
    isAttended: hasFocus || hasPointer,
    attending: {
      onFocus: () => setFocus(true),
      onBlur: () => setFocus(false),
      onPointerEnter: () => setPointer(true),
      onPointerLeave: () => setPointer(false),
    },
  }
}
