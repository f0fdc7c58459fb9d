import styles from './password-field.module.css'
import { estimateStrength } from './password-strength.ts'
import { strength } from './words.ts'

/** The strength of the password as text and as a bar. A weak password can be submitted anyway. */
export function StrengthHint({ password, userInputs }: { password: string; userInputs: readonly string[] }) {
  const { level, because } = estimateStrength(password, userInputs)
  return (
    <span className={styles.strength} data-level={level}>
      <span className={styles.meter} aria-hidden="true" />
      <span>
        {strength[level]}
        {because && `: ${because}`}
      </span>
    </span>
  )
}
