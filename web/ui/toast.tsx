import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react'
import { actAfter } from '../lib/dom.ts'
import { Button } from './button.tsx'
import { cutName, messageDurationMs, Text } from './message.tsx'
import styles from './toast.module.css'

interface ToastAction {
  label: string
  onPress(): void
  /** False once the action no longer applies; the toast is then not rendered. */
  isValid?(): boolean
  /** The toast stays until the action, and returns after other toasts. */
  isSticky?: boolean
}

/** The toast disappears after `messageDurationMs`, unless it is focused or under the pointer. */
export type ShowToast = (message: ReactNode, action?: ToastAction) => void

interface ToastState {
  message: ReactNode
  action?: ToastAction | undefined
  toastId: number
  /** The sticky toast that returns after this one. */
  kept?: ToastState | undefined
}

const ShowToastContext = createContext<ShowToast>(() => {})
const ToastContext = createContext<ToastState>({ message: null, toastId: 0 })

/** Lets the components below it show toasts in a `ToastRegion`, which is also below it. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<ToastState>({ message: null, toastId: 0 })
  const showToast = useCallback<ShowToast>((message, action) => {
    setToast((last) => {
      const kept = last.action?.isSticky ? last : last.kept
      const next = message === null ? last.kept : { message, action, kept }
      return { message: null, ...next, toastId: last.toastId + 1 }
    })
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

/** The place of toasts, which moves nothing else. Screen readers announce the message, not the button. */
export function ToastRegion({ children }: { children: ReactNode }) {
  const { message, action, toastId } = use(ToastContext)
  const showToast = useToast()
  const isShown = message !== null && action?.isValid?.() !== false
  const { hasAttention, attentionHandlers } = useAttention(toastId)
  const isHeld = hasAttention || action?.isSticky === true
  const endingId = message !== null && !isHeld ? toastId : null

  useEffect(() => {
    if (endingId !== null) return actAfter(messageDurationMs, () => showToast(null))
  }, [endingId, showToast])

  return (
    <div className={styles.region} data-toasts>
      <div className={isShown ? styles.toast : undefined} {...attentionHandlers}>
        {/* A new key for each toast, so that screen readers announce a repeated message. */}
        <div role="status" className={styles.status}>
          {isShown && (
            <p key={toastId} className={styles.message}>
              <Text renderValue={cutName}>{message}</Text>
            </p>
          )}
        </div>
        {isShown && action && <ActionButton key={toastId} action={action} />}
      </div>
      {children}
    </div>
  )
}

function ActionButton({ action }: { action: ToastAction }) {
  const showToast = useToast()

  function handlePress() {
    showToast(null)
    action.onPress()
  }

  return (
    <Button className={styles.action} onClick={handlePress}>
      {action.label}
    </Button>
  )
}

function useAttention(toastId: number) {
  const [focusedId, setFocusedId] = useState<number>()
  const [pointedId, setPointedId] = useState<number>()
  return {
    hasAttention: focusedId === toastId || pointedId === toastId,
    attentionHandlers: {
      onFocus: () => setFocusedId(toastId),
      onBlur: () => setFocusedId(undefined),
      onPointerEnter: () => setPointedId(toastId),
      onPointerLeave: () => setPointedId(undefined),
    },
  }
}
