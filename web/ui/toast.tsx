import {
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useStableCallbacks } from '../lib/use-stable-callbacks.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import styles from './toast.module.css'

/** How long a notice stays that nobody is busy with, in ms. */
const toastDurationMs = 5_000

/** What can be done about a notice. */
interface ToastAction {
  label: string
  onPress(): void
  /** False once there is nothing left to be done: then the notice goes. */
  isValid?(): boolean
  /** The notice stays until it is dismissed or another one comes. */
  isSticky?: boolean
}

export type ShowToast = (message: ReactNode, action?: ToastAction) => void

interface ToastState {
  message: ReactNode
  action?: ToastAction | undefined
  toastId: number
}

/**
 * A line at the foot of the page that says what has just been done, and goes by itself. `onLeft`: it has gone while it
 * had the focus.
 */
export function useToast(onFocusLost = () => {}): { toast: ReactNode; showToast: ShowToast } {
  const [{ message: words, action, toastId }, setToast] = useState<ToastState>({ message: null, toastId: 0 })
  const showToast = useCallback<ShowToast>((message, action) => {
    setToast(({ toastId }) => ({ message, action, toastId: toastId + 1 }))
  }, [])
  const callbacks = useStableCallbacks({ onFocusLost, onDismiss: () => showToast(null) })

  // A new element each time, so that the same words are announced again.
  const toast = (
    <div role="status" className={styles.notice}>
      {words && action?.isValid?.() !== false && (
        <Toast key={toastId} message={words} action={action} {...callbacks} />
      )}
    </div>
  )
  return { toast, showToast }
}

interface ToastProps extends Omit<ToastState, 'toastId'> {
  onDismiss(): void
  onFocusLost(): void
}

function Toast({ message, action, onDismiss, onFocusLost }: ToastProps) {
  const container = useRef<HTMLDivElement>(null)
  const { hasAttention, attentionHandlers } = useAttention()
  const isHeldOpen = action?.isSticky || hasAttention

  useEffect(() => {
    if (isHeldOpen) return
    const timer = setTimeout(onDismiss, toastDurationMs)
    return () => clearTimeout(timer)
  }, [isHeldOpen, onDismiss])

  useLayoutEffect(() => {
    const element = container.current
    return () => {
      if (element?.contains(document.activeElement)) onFocusLost()
    }
  }, [onFocusLost])

  function handlePress({ currentTarget }: MouseEvent<HTMLElement>) {
    // What is done has a place of its own for the focus.
    currentTarget.blur()
    onDismiss()
    action?.onPress()
  }

  return (
    <div ref={container} className={styles.line} {...attentionHandlers}>
      <p className={styles.words}>{message}</p>
      {action && (
        <Button className={styles.action} onClick={handlePress}>
          {action.label}
        </Button>
      )}
      {action?.isSticky && (
        <Button
          variant="icon"
          className={styles.action}
          aria-label="Dismiss"
          title="Dismiss"
          onClick={onDismiss}
        >
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
    hasAttention: hasFocus || hasPointer,
    attentionHandlers: {
      onFocus: () => setFocus(true),
      onBlur: () => setFocus(false),
      onPointerEnter: () => setPointer(true),
      onPointerLeave: () => setPointer(false),
    },
  }
}
