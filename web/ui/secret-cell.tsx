import { useRef } from 'react'
import { noAutofill } from '../lib/dom.ts'
import { useMaskedValue } from '../lib/use-kept-value.ts'
import { useReveal } from '../lib/use-reveal.ts'
import { IconButton } from './button.tsx'
import styles from './cell.module.css'
import './revealed-card.css'

interface SecretCellProps {
  /** Names the value, such as "Password of Ada", and its buttons. */
  label: string
  showLabel: string
  /** Says which of several secrets it is to those who see it, where no header does. */
  caption?: string | undefined
  value: string
  /** Shown in place of the mask. */
  note?: string | undefined
  /** The button that copies the value, with its action of the row; a cell outside of a row has none, and Tab reaches its button. */
  copy?: { label: string; action: string }
  onReveal(): void
}

/** A disabled field with a button that reveals it. Masked again after the row has been unmounted by scrolling. */
export function SecretCell({ label, showLabel, caption, value, note, copy, onReveal }: SecretCellProps) {
  const cell = useRef<HTMLSpanElement>(null)
  const { shown, toggle } = useReveal(cell)
  const secret = useMaskedValue(value, shown)
  const tabIndex = copy ? -1 : 0

  return (
    <span
      ref={cell}
      className={`${styles.cell} ${shown ? styles.revealed : ''}`}
      data-long={(shown && value.length > 20) || undefined}
      translate="no"
    >
      {caption && (
        <span className={styles.caption} translate="yes" aria-hidden>
          {caption}
        </span>
      )}
      {note && (
        <span key={note} className={styles.note} translate="yes">
          {note}
        </span>
      )}
      <input
        {...secret}
        className={styles.password}
        type={shown ? 'text' : 'password'}
        dir="ltr"
        aria-label={label}
        disabled
        {...(shown && { size: Math.max(1, value.length) })}
        {...noAutofill}
      />
      {copy && (
        <IconButton
          icon="copy"
          className={styles.copy}
          aria-label={copy.label}
          tabIndex={tabIndex}
          data-action={copy.action}
        />
      )}
      <IconButton
        icon={shown ? 'eye-off' : 'eye'}
        aria-label={showLabel}
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
