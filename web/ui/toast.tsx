import {
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import styles from './toast.module.css'

/** A toast disappears after this time, in ms, unless it is sticky, focused or under the pointer. */
const toastDurationMs = 5_000

/** The button of a toast. */
interface ToastAction {
  label: string
  onPress(): void
  /** False once the action no longer applies; the toast is then not rendered. */
  isValid?(): boolean
  /** The toast stays until it is dismissed or replaced. */
  isSticky?: boolean
}

export type ShowToast = (message: ReactNode, action?: ToastAction) => void

interface ToastState {
  message: ReactNode
  action?: ToastAction | undefined
  toastId: number
}

/**
 * A toast at the bottom of the page that reports what has just happened. `onFocusLost` is called when the toast is removed
 * while it has the focus.
 */
export function useToast(onFocusLost = () => {}): { toast: ReactNode; showToast: ShowToast } {
  const [{ message, action, toastId }, setToast] = useState<ToastState>({ message: null, toastId: 0 })
  const showToast = useCallback<ShowToast>((message, action) => {
    setToast(({ toastId }) => ({ message, action, toastId: toastId + 1 }))
  }, [])

  // A new key for each toast, so that screen readers announce a repeated message.
  const toast = (
    <div role="status" className={styles.region}>
      {message && action?.isValid?.() !== false && (
        <Toast
          key={toastId}
          message={message}
          action={action}
          onDismiss={() => showToast(null)}
          onFocusLost={onFocusLost}
        />
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
  const handleTimeout = useEffectEvent(onDismiss)
  const handleFocusLost = useEffectEvent(onFocusLost)

  useEffect(() => {
    if (isHeldOpen) return
    const timer = setTimeout(() => handleTimeout(), toastDurationMs)
    return () => clearTimeout(timer)
  }, [isHeldOpen])

  useLayoutEffect(() => {
    const element = container.current
    return () => {
      if (element?.contains(document.activeElement)) handleFocusLost()
    }
  }, [])

  function handlePress({ currentTarget }: MouseEvent<HTMLElement>) {
    // Blur first: the action moves the focus itself, so `onFocusLost` must not be called.
    currentTarget.blur()
    onDismiss()
    action?.onPress()
  }

  return (
    <div ref={container} className={styles.toast} {...attentionHandlers}>
      <p className={styles.message}>{message}</p>
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

/** Whether an element contains the focus or the pointer. */
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
