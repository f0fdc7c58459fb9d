import {
  createContext,
  type MouseEvent,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useFocusLost } from '../lib/focus.ts'
import { Button } from './button.tsx'
import styles from './toast.module.css'

/** A toast disappears after this time, in ms, unless it is focused or under the pointer. */
const toastDurationMs = 5_000

/** The button of a toast. */
interface ToastAction {
  label: string
  onPress(): void
  /** False once the action no longer applies; the toast is then not rendered. */
  isValid?(): boolean
  /** The toast stays until the action, or the next toast. */
  isSticky?: boolean
}

export type ShowToast = (message: ReactNode, action?: ToastAction) => void

interface ToastState {
  message: ReactNode
  action?: ToastAction | undefined
  toastId: number
}

const ShowToastContext = createContext<ShowToast>(() => {})
const ToastContext = createContext<ToastState>({ message: null, toastId: 0 })

/** Lets the components below it show toasts in a `ToastRegion`, which is also below it. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<ToastState>({ message: null, toastId: 0 })
  const showToast = useCallback<ShowToast>((message, action) => {
    setToast(({ toastId }) => ({ message, action, toastId: toastId + 1 }))
  }, [])
  return (
    <ShowToastContext value={showToast}>
      <ToastContext value={toast}>{children}</ToastContext>
    </ShowToastContext>
  )
}

/** Returns a function that shows a toast about what has just happened, instead of the one before. It never changes. */
export function useToast(): ShowToast {
  return use(ShowToastContext)
}

interface ToastRegionProps {
  /** Called when the toast is removed while it has the focus. */
  onFocusLost(): void
  children: ReactNode
}

/** The place of toasts, at the bottom of the page. Whatever is in it moves nothing else. */
export function ToastRegion({ onFocusLost, children }: ToastRegionProps) {
  const { message, action, toastId } = use(ToastContext)
  return (
    <div className={styles.region}>
      <div role="status" className={styles.status}>
        {message && action?.isValid?.() !== false && (
          // A new key for each toast, so that screen readers announce a repeated message.
          <Toast key={toastId} message={message} action={action} onFocusLost={onFocusLost} />
        )}
      </div>
      {children}
    </div>
  )
}

interface ToastProps extends Omit<ToastState, 'toastId'>, Pick<ToastRegionProps, 'onFocusLost'> {}

function Toast({ message, action, onFocusLost }: ToastProps) {
  const container = useRef<HTMLDivElement>(null)
  const showToast = useToast()
  const { hasAttention, attentionHandlers } = useAttention()
  const isHeld = hasAttention || action?.isSticky === true
  useFocusLost(container, onFocusLost)

  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => showToast(null), toastDurationMs)
    return () => clearTimeout(timer)
  }, [isHeld, showToast])

  function handlePress({ currentTarget }: MouseEvent<HTMLElement>) {
    // Blur first: the action moves the focus itself, so `onFocusLost` must not be called.
    currentTarget.blur()
    showToast(null)
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
