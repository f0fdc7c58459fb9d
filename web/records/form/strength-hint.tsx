import styles from './password-field.module.css'
import { strengthOf } from './password-strength.ts'

/** How hard the password is to guess, in words and as a bar. It never keeps anybody from anything. */
export function StrengthHint({ password, known }: { password: string; known: readonly string[] }) {
  const { level, because } = strengthOf(password, known)
  return (
    <span className={styles.strength} data-level={level}>
      <span className={styles.meter} aria-hidden="true" />
      <span>
        {level[0]?.toUpperCase()}
        {level.slice(1)}
        {because && `: ${because}`}
      </span>
    </span>
  )
}
