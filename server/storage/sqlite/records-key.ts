import type { DatabaseSync } from 'node:sqlite'
import type { EmployeeFields } from '../../../contract/employees.ts'
import { fitOf, type KeyFit, proofOf } from '../key-proof.ts'
import { type RecordsKey, sealingWith } from '../sealing.ts'

export function keyFit(database: DatabaseSync, key: RecordsKey | undefined): KeyFit {
  return fitOf(database.prepare('SELECT keyProof FROM register').get()?.keyProof as Uint8Array | null, key)
}

export function writeKeyProof(database: DatabaseSync, key: RecordsKey | undefined): void {
  database.prepare('UPDATE register SET keyProof = ?').run(proofOf(key))
}

/**
 * Seals every record anew, from one key (or none) to another (or none), in one transaction; then makes the file and
 * its log anew, so that what was readable is in no byte of them. Answers how many records there are.
 */
export function changeKey(
  database: DatabaseSync,
  from: RecordsKey | undefined,
  to: RecordsKey | undefined,
): number {
  const [before, after] = [sealingWith(from), sealingWith(to)]
  const rows = database.prepare('SELECT seq, id, eName, email, password FROM books WHERE eName IS NOT NULL')
  const write = database.prepare('UPDATE books SET eName = ?, email = ?, password = ? WHERE seq = ?')
  database.exec('BEGIN IMMEDIATE')
  try {
    const records = rows.all() as unknown as (EmployeeFields & { seq: number; id: string })[]
    for (const { seq, id, ...fields } of records) write.run(...after.seal(id, before.open(id, fields)), seq)
    writeKeyProof(database, to)
    database.exec('COMMIT')
    database.exec('PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
    return records.length
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
