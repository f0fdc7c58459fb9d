import styles from './employee-name.module.css'
import { shownName } from './outbox/shown-name.ts'

/** A record's name in a sentence: where it is too long it is cut, never what is said of it. */
export function Name({ of }: { of: string }) {
  return <bdi className={styles.name}>{shownName(of)}</bdi>
}
