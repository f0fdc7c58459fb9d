import styles from './employee-name.module.css'
import { displayName } from './outbox/display-name.ts'

/** A record's name in a sentence: where it is too long it is cut, never what is said of it. */
export function EmployeeName({ name }: { name: string }) {
  return <bdi className={styles.name}>{displayName(name)}</bdi>
}
