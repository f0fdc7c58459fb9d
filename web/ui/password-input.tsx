import type { ComponentProps, ReactNode } from 'react'
import type { Reveal } from '../lib/use-reveal.ts'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { Icon } from './icon.tsx'
import styles from './password-input.module.css'

interface PasswordInputProps extends Omit<ComponentProps<typeof Field>, 'type' | 'value'> {
  secret: string
  reveal: Reveal
  /** What the eye does; in words that tell it from the others of its form. */
  revealLabel?: string
  /** More buttons in the field, before the eye. */
  extraButtons?: ReactNode
}

/** A field for a secret, with an eye that shows what is typed. */
export function PasswordInput({
  reveal,
  revealLabel = 'Show what I type',
  extraButtons,
  ...input
}: PasswordInputProps) {
  const { shown, toggle } = reveal
  return (
    <div className={styles.secret}>
      <Field {...input} type={shown ? 'text' : 'password'} spellCheck={false} autoCapitalize="none" />
      <span className={styles.buttons}>
        {extraButtons}
        <Button
          variant="icon"
          aria-label={revealLabel}
          title={revealLabel}
          aria-pressed={shown}
          onClick={toggle}
        >
          <Icon name={shown ? 'eye-off' : 'eye'} />
        </Button>
      </span>
    </div>
  )
}
