import type { ComponentProps, ReactNode } from 'react'
import type { Reveal } from '../lib/use-reveal.ts'
import { IconButton } from './button.tsx'
import { Field } from './field.tsx'
import * as messages from './messages.ts'
import styles from './password-input.module.css'

interface PasswordInputProps extends Omit<ComponentProps<typeof Field>, 'type' | 'value'> {
  secret: string
  reveal: Reveal
  isLocked?: boolean
  /** The label of the reveal button, unique within the form. */
  revealLabel?: string
  /** More buttons inside the field, before the reveal button. */
  extraButtons?: ReactNode
}

/** A password field with a button that reveals its value. */
export function PasswordInput({
  reveal,
  isLocked,
  revealLabel = messages.showPassword,
  extraButtons,
  ...input
}: PasswordInputProps) {
  const { shown, toggle } = reveal
  return (
    <div className={styles.container}>
      <Field {...input} type={shown ? 'text' : 'password'} spellCheck={false} autoCapitalize="none" />
      <span className={styles.buttons}>
        {extraButtons}
        <IconButton
          icon={shown ? 'eye-off' : 'eye'}
          aria-label={revealLabel}
          aria-pressed={shown}
          disabled={isLocked}
          onClick={toggle}
        />
      </span>
    </div>
  )
}
