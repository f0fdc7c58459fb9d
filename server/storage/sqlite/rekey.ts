import type { DatabaseSync } from 'node:sqlite'
import type { EmployeeFields } from '../../../contract/employees.ts'
import { createFieldEncryption, type RecordsKey } from '../encryption/field-encryption.ts'
import { createKeyCheck, type KeyCheckResult, verifyKeyCheck } from '../encryption/key-check.ts'
import { StorageOpenError } from '../storage.ts'
import { diskErrorKind } from './disk-errors.ts'

export function checkStoredKey(database: DatabaseSync, key: RecordsKey | undefined): KeyCheckResult {
  return verifyKeyCheck(
    database.prepare('SELECT keyProof FROM register').get()?.keyProof as Uint8Array | null,
    key,
  )
}

export function writeKeyCheck(database: DatabaseSync, key: RecordsKey | undefined): void {
  database.prepare('UPDATE register SET keyProof = ?').run(createKeyCheck(key))
}

/**
 * Seals every record anew, from one key (or none) to another (or none), in one transaction; then makes the file anew, so
 * that what was readable is in no byte of it. Answers how many records there are. Throws a `RegisterError` where another
 * program has the register open, and where the new key holds and the file could not be made anew.
 */
export function changeKey(
  database: DatabaseSync,
  oldKey: RecordsKey | undefined,
  newKey: RecordsKey | undefined,
): number {
  const [oldEncryption, newEncryption] = [createFieldEncryption(oldKey), createFieldEncryption(newKey)]
  const rows = database.prepare('SELECT seq, id, eName, email, password FROM books WHERE eName IS NOT NULL')
  const updateFields = database.prepare('UPDATE books SET eName = ?, email = ?, password = ? WHERE seq = ?')
  disableWal(database)
  database.exec('BEGIN IMMEDIATE')
  try {
    const records = rows.all() as unknown as (EmployeeFields & { seq: number; id: string })[]
    for (const { seq, id, ...fields } of records)
      updateFields.run(...newEncryption.encrypt(id, oldEncryption.decrypt(id, fields)), seq)
    writeKeyCheck(database, newKey)
    database.exec('COMMIT')
    if (newKey) vacuumFile(database)
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
function disableWal(database: DatabaseSync) {
  try {
    database.exec(`${disableWalSql}; PRAGMA synchronous = EXTRA`)
  } catch (cause) {
    if (diskErrorKind(cause) !== 'busy') throw cause
    throw new StorageOpenError(
      `The register ${database.location()} is open in another program. Please end that one, and say the command again. Nothing was changed.`,
      { cause },
    )
  }
}

function vacuumFile(database: DatabaseSync) {
  try {
    // Somebody may have brought the log back meanwhile.
    database.exec(`VACUUM; ${disableWalSql}`)
  } catch (cause) {
    throw new StorageOpenError(
      `The register ${database.location()} is sealed with the new key, but what was readable before may still be in its file: ${(cause as Error).message}. Please say the command again with the new key as RECORDS_KEY and NEW_RECORDS_KEY, and use it from now on.`,
      { cause },
    )
  }
}

const disableWalSql = 'PRAGMA journal_mode = DELETE'
