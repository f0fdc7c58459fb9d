import type { DatabaseSync } from 'node:sqlite'
import type { EmployeeFields } from '../../../contract/employees.ts'
import { type RecordsKey, sealingWith } from '../encryption/field-encryption.ts'
import { fitOf, type KeyFit, proofOf } from '../encryption/key-check.ts'
import { RegisterError } from '../storage.ts'
import { diskErrorOf } from './disk-errors.ts'

export function keyFit(database: DatabaseSync, key: RecordsKey | undefined): KeyFit {
  return fitOf(database.prepare('SELECT keyProof FROM register').get()?.keyProof as Uint8Array | null, key)
}

export function writeKeyProof(database: DatabaseSync, key: RecordsKey | undefined): void {
  database.prepare('UPDATE register SET keyProof = ?').run(proofOf(key))
}

/**
 * Seals every record anew, from one key (or none) to another (or none), in one transaction; then makes the file anew, so
 * that what was readable is in no byte of it. Answers how many records there are. Throws a `RegisterError` where another
 * program has the register open, and where the new key holds and the file could not be made anew.
 */
export function changeKey(
  database: DatabaseSync,
  from: RecordsKey | undefined,
  to: RecordsKey | undefined,
): number {
  const [before, after] = [sealingWith(from), sealingWith(to)]
  const rows = database.prepare('SELECT seq, id, eName, email, password FROM books WHERE eName IS NOT NULL')
  const write = database.prepare('UPDATE books SET eName = ?, email = ?, password = ? WHERE seq = ?')
  leaveLog(database)
  database.exec('BEGIN IMMEDIATE')
  try {
    const records = rows.all() as unknown as (EmployeeFields & { seq: number; id: string })[]
    for (const { seq, id, ...fields } of records) write.run(...after.seal(id, before.open(id, fields)), seq)
    writeKeyProof(database, to)
    database.exec('COMMIT')
    if (to) makeFileAnew(database)
    return records.length
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/**
 * Does without the write-ahead log, which another connection would keep as it is; whoever opens the register to write
 * brings it back. Without it, only EXTRA has a commit on the disk when it returns.
 */
function leaveLog(database: DatabaseSync) {
  try {
    database.exec(`${withoutLog}; PRAGMA synchronous = EXTRA`)
  } catch (cause) {
    if (diskErrorOf(cause) !== 'busy') throw cause
    throw new RegisterError(
      `The register ${database.location()} is open in another program. Please end that one, and say the command again. Nothing was changed.`,
      { cause },
    )
  }
}

function makeFileAnew(database: DatabaseSync) {
  try {
    // Somebody may have brought the log back meanwhile.
    database.exec(`VACUUM; ${withoutLog}`)
  } catch (cause) {
    throw new RegisterError(
      `The register ${database.location()} is sealed with the new key, but what was readable before may still be in its file: ${(cause as Error).message}. Please say the command again with the new key as RECORDS_KEY and NEW_RECORDS_KEY, and use it from now on.`,
      { cause },
    )
  }
}

const withoutLog = 'PRAGMA journal_mode = DELETE'
