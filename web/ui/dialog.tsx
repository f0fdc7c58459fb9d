import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'
import styles from './dialog.module.css'
import { Icon } from './icon.tsx'

interface DialogProps {
  title: string
  /** `wide` for what has columns. */
  size?: 'text' | 'wide'
  children: ReactNode
  /** False keeps it open, say while something is under way that must be cancelled first. */
  canClose?: boolean
  onClose(): void
}

/**
 * A modal dialog, for as long as it is rendered. The browser keeps the focus inside, closes it on Escape, and gives the
 * focus back to what had it before. It opens with the focus on what is marked `data-first`, else on the way out.
 */
export function Dialog({ title, size = 'text', children, canClose = true, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  // A layout effect is undone before its element leaves the page: only a dialog in the page gives the focus back.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    element?.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => element?.close()
  }, [])

  return (
    <dialog
      ref={dialog}
      className={size === 'wide' ? `${styles.dialog} ${styles.wide}` : styles.dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        if (canClose) onClose()
      }}
      // A browser closes by itself at the second Escape in a row, whatever was said to the first. In StrictMode the event
      // of an effect's cleanup arrives when the dialog is open again.
      onClose={() => dialog.current?.open || onClose()}
    >
      <div className={styles.header}>
        <h2 id={titleId}>{title}</h2>
        {canClose && (
          <Button variant="icon" aria-label="Close" onClick={onClose}>
            <Icon name="x" />
          </Button>
        )}
      </div>
      <div className={styles.body}>{children}</div>
    </dialog>
  )
}
