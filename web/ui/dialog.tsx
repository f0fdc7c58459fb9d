import { type InputHTMLAttributes, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { t } from '../language/translate.ts'
import { IconButton } from './button.tsx'
import styles from './dialog.module.css'
import { Text } from './message.tsx'

interface DialogProps {
  title: string
  /** `wide`: for content with columns. `bare`: the title is for screen readers only, and the content has no padding. */
  size?: 'text' | 'wide' | 'bare'
  children: ReactNode
  /** False keeps the dialog open, for example while an operation runs that must be cancelled first. */
  canClose?: boolean
  onClose(): void
}

/**
 * A modal dialog, open while it is rendered. The browser traps the focus, handles Escape, and restores the focus to the
 * previously focused element. The initial focus is on the element with `data-first`, otherwise on the Close button.
 */
export function Dialog({ title, size = 'text', children, canClose = true, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  // A layout effect's cleanup runs while the element is still in the document; a detached dialog restores no focus.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    element?.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => element?.close()
  }, [])

  return (
    <dialog
      ref={dialog}
      className={`${styles.dialog} ${styles[size] ?? ''}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        // A file input in the dialog also sends it, when no file was chosen.
        if (canClose && event.target === dialog.current) onClose()
      }}
      // Browsers ignore `preventDefault` on the second of two consecutive Escape presses, and close the dialog. Under
      // StrictMode, the event of an effect's cleanup arrives when the dialog is open again.
      onClose={() => dialog.current?.open || onClose()}
    >
      {/* One block: Orca takes a choice that comes into another one than the focus is in for what the user has chosen. */}
      <div>
        <div className={styles.header}>
          <h2 id={titleId}>
            <Text>{title}</Text>
          </h2>
          {canClose && <IconButton icon="x" aria-label={t('Close')} onClick={onClose} />}
        </div>
        <div className={styles.body}>{children}</div>
      </div>
    </dialog>
  )
}

export function DialogFooter({ children }: { children: ReactNode }) {
  return <div className={styles.footer}>{children}</div>
}

interface CheckFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  type?: 'checkbox' | 'radio'
}

export function CheckField({ label, type = 'checkbox', ...input }: CheckFieldProps) {
  return (
    <label className={styles.check}>
      <input type={type} {...input} />
      <Text>{label}</Text>
    </label>
  )
}
