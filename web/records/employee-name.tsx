import styles from './employee-name.module.css'
import { noName } from './words.ts'

/** Neither a space nor an ignorable character, such as a zero-width space or an empty Braille pattern. */
const visibleCharacter = /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u

/** The name of a record as the page shows it; a blank name would be invisible. */
export function displayName(eName: string): string {
  return visibleCharacter.test(eName) ? eName : noName
}

/** The name of a record within a sentence. A long name is cut, so that the rest of the sentence stays visible. */
export function EmployeeName({ name }: { name: string }) {
  return <bdi className={styles.name}>{displayName(name)}</bdi>
}
