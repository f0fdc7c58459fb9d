import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
import { useSecretValue } from '../lib/use-secret-value.ts'
import styles from './field.module.css'

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
