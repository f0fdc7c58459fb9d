import { useRef } from 'react'
import { noAutofill } from '../../lib/no-autofill.ts'
import { useReveal } from '../../lib/use-reveal.ts'
import { useSecretValue } from '../../lib/use-secret-value.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './employee-table.module.css'
import * as words from './words.ts'

interface PasswordCellProps {
  name: string
  password: string
  /** Whether Tab reaches the buttons. In a row, the arrow keys do. */
  isTabStop?: boolean
  /** Copies the password; there is no button otherwise. */
  onCopy?(): void
  /** Called when the password is shown. */
  onReveal(): void
}

/** A disabled field with a button that reveals it. Masked again after the row has been unmounted by scrolling. */
export function PasswordCell(props: PasswordCellProps) {
  const { name, password, isTabStop = false, onCopy, onReveal } = props
  const cell = useRef<HTMLSpanElement>(null)
  const { shown, toggle } = useReveal(cell)
  const secret = useSecretValue(password)
  const tabIndex = isTabStop ? 0 : -1

  return (
    <span ref={cell} className={`${styles.withButtons} ${shown ? styles.revealed : styles.masked}`}>
      <input
        {...secret}
        className={styles.password}
        type={shown ? 'text' : 'password'}
        aria-label={words.passwordOf(name)}
        disabled
        {...(shown && { size: Math.max(1, password.length) })}
        {...noAutofill}
      />
      {onCopy && (
        <IconButton
          icon="copy"
          className={styles.copy}
          aria-label={words.copyPassword(name)}
          tabIndex={tabIndex}
          data-action="copy-password"
          onClick={onCopy}
        />
      )}
      <IconButton
        icon={shown ? 'eye-off' : 'eye'}
        aria-label={words.showPassword(name)}
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
