import { type InputHTMLAttributes, type ReactNode, type Ref, useId, useState } from 'react'
import { t } from '../language/translate.ts'
import { useSecretValue } from '../lib/use-secret-value.ts'
import { IconButton } from './button.tsx'
import styles from './field.module.css'
import passwordStyles from './password-input.module.css'

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  hint?: ReactNode
  /** Replaces `value` for secrets, which must not appear in the markup. */
  secret?: string
  ref?: Ref<HTMLInputElement>
  /** Buttons inside the field, at its end. */
  buttons?: ReactNode
}

/**
 * A label, its input and an optional hint, which is the input's accessible description: not while the user types, because a
 * screen reader would read each change of it, beside the live region that announces it when the typing pauses.
 */
export function Field({ label, hint, secret, ref, buttons, ...input }: FieldProps) {
  const id = useId()
  const secretInput = useSecretValue(secret)
  const hintId = `${id}-hint`
  const [isTyping, setIsTyping] = useState(false)
  const describedBy = input['aria-describedby'] ?? (hint ? hintId : undefined)
  const control = (
    <input
      id={id}
      {...(secret === undefined ? { ref } : secretInput)}
      className={styles.input}
      dir={input.type === 'email' ? 'ltr' : undefined}
      {...input}
      aria-describedby={isTyping ? undefined : describedBy}
      onChange={(event) => {
        setIsTyping(true)
        input.onChange?.(event)
      }}
      onBlur={(event) => {
        setIsTyping(false)
        input.onBlur?.(event)
      }}
    />
  )
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {buttons ? (
        <div className={passwordStyles.container}>
          {control}
          <span className={passwordStyles.buttons}>{buttons}</span>
        </div>
      ) : (
        control
      )}
      {hint && (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface PasswordInputProps extends Omit<FieldProps, 'type' | 'value' | 'ref'> {
  secret: string
  /** Without `toggle`, the value can't be revealed. */
  reveal: { shown: boolean; toggle?: () => void }
  /** The label of the reveal button, unique within the form. */
  revealLabel?: string
  /** More buttons inside the field, before the reveal button. */
  extraButtons?: ReactNode
}

export function PasswordInput(props: PasswordInputProps) {
  const { reveal, revealLabel = t('Show password'), extraButtons, ...input } = props
  const { shown, toggle } = reveal
  return (
    <Field
      {...input}
      type={shown ? 'text' : 'password'}
      dir="ltr"
      spellCheck={false}
      autoCapitalize="none"
      buttons={
        <>
          {extraButtons}
          <IconButton
            icon={shown ? 'eye-off' : 'eye'}
            aria-label={revealLabel}
            aria-pressed={shown}
            disabled={!toggle}
            onClick={toggle}
          />
        </>
      }
    />
  )
}
