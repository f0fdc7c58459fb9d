import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
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
}

/** A label, its input and an optional hint, which is the input's accessible description. */
export function Field({ label, hint, secret, ref, ...input }: FieldProps) {
  const id = useId()
  const secretInput = useSecretValue(secret)
  const hintId = `${id}-hint`
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        {...(secret === undefined ? { ref } : secretInput)}
        className={styles.input}
        dir={input.type === 'email' ? 'ltr' : undefined}
        {...(hint ? { 'aria-describedby': hintId } : {})}
        {...input}
      />
      {hint && (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** A field with buttons inside, at its end. */
export function FieldWithButtons({ buttons, ...field }: FieldProps & { buttons: ReactNode }) {
  return (
    <div className={passwordStyles.container}>
      <Field {...field} />
      <span className={passwordStyles.buttons}>{buttons}</span>
    </div>
  )
}

/** The hint of a new password of an account. */
export const describeNewPassword = (length: { min: number }) =>
  t('At least {min, plural, one {# character} other {# characters}}. A few random words work well.', length)

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
    <FieldWithButtons
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
