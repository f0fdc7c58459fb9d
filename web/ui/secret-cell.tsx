import { useRef } from 'react'
import { noAutofill } from '../lib/dom.ts'
import { useReveal } from '../lib/use-reveal.ts'
import { useMaskedValue } from '../lib/use-secret-value.ts'
import { IconButton } from './button.tsx'
import styles from './cell.module.css'
import * as messages from './messages.ts'

interface SecretCellProps {
  /** Names the value for screen readers, for example "password of Ada". */
  label: string
  value: string
  /** Names the action of the row that copies the value; a cell outside of a row has none, and Tab reaches its button. */
  copyAction?: string
  onReveal(): void
}

/** A disabled field with a button that reveals it. Masked again after the row has been unmounted by scrolling. */
export function SecretCell({ label, value, copyAction, onReveal }: SecretCellProps) {
  const cell = useRef<HTMLSpanElement>(null)
  const { shown, toggle } = useReveal(cell)
  const secret = useMaskedValue(value, shown)
  const tabIndex = copyAction ? -1 : 0

  return (
    <span ref={cell} className={`${styles.cell} ${shown ? styles.revealed : ''}`} translate="no">
      <input
        {...secret}
        className={styles.password}
        type={shown ? 'text' : 'password'}
        aria-label={label.charAt(0).toUpperCase() + label.slice(1)}
        disabled
        {...(shown && { size: Math.max(1, value.length) })}
        {...noAutofill}
      />
      {copyAction && (
        <IconButton
          icon="copy"
          className={styles.copy}
          aria-label={messages.copy(label)}
          tabIndex={tabIndex}
          data-action={copyAction}
        />
      )}
      <IconButton
        icon={shown ? 'eye-off' : 'eye'}
        aria-label={messages.show(label)}
        aria-pressed={shown}
        tabIndex={tabIndex}
        data-action="show"
        onClick={() => {
          if (!shown) onReveal()
          toggle()
        }}
      />
    </span>
  )
}
