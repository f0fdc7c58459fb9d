import { useRef } from 'react'
import { noAutofill } from '../../lib/no-autofill.ts'
import { useReveal } from '../../lib/use-reveal.ts'
import { useSecretValue } from '../../lib/use-secret-value.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './employee-table.module.css'
import * as words from './words.ts'

interface PasswordCellProps {
  name: string
  password: string
  onCopy(): void
}

/** A disabled field with a button that reveals it. Masked again after the row has been unmounted by scrolling. */
export function PasswordCell({ name, password, onCopy }: PasswordCellProps) {
  const cell = useRef<HTMLSpanElement>(null)
  const { shown, toggle } = useReveal(cell)
  const secret = useSecretValue(password)

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
      <Button
        variant="icon"
        className={styles.copy}
        aria-label={words.copyPassword(name)}
        tabIndex={-1}
        data-action="copy-password"
        onClick={onCopy}
      >
        <Icon name="copy" />
      </Button>
      <Button
        variant="icon"
        aria-label={words.showPassword(name)}
        aria-pressed={shown}
        tabIndex={-1}
        data-action="show"
        onClick={toggle}
      >
        <Icon name={shown ? 'eye-off' : 'eye'} />
      </Button>
    </span>
  )
}
