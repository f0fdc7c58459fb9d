import { t } from '../../language/translate.ts'
import styles from './key.module.css'

/** What stands on a key: a letter, or its name in the user's language, whose catalog lists those that differ. */
export const nameKey = (key: string): string => (key.length === 1 ? key.toUpperCase() : t('{key}', { key }))

/** A key of the keyboard. */
export function Key({ children }: { children: string }) {
  return <kbd className={styles.key}>{nameKey(children)}</kbd>
}
