import type { DatabaseSync } from 'node:sqlite'
import type { RecordsKey } from '../encryption/field-encryption.ts'
import { type KeyCheckResult, verifyKeyCheck } from '../encryption/key-check.ts'
import { changeKey } from '../sql/change-key.ts'
import { StorageOpenError } from '../types.ts'
import { inTransaction } from './connect.ts'
import { diskErrorKind } from './disk-errors.ts'
import { createRunCommand } from './run-command.ts'

export function checkStoredKey(database: DatabaseSync, key: RecordsKey | undefined): KeyCheckResult {
  const { keyProof } = database.prepare('SELECT keyProof FROM register').get() as {
    keyProof: Uint8Array | null
  }
  return verifyKeyCheck(keyProof, key)
}

/**
 * Re-encrypts every record in one transaction; either key may be undefined for plain text. Then rewrites the file, so
 * that no plain text remains in it. Returns the number of records. Throws `StorageOpenError` if another program has the
 * file open, or if the new key is in use but the file could not be rewritten.
 */
export function rekeyFile(
  database: DatabaseSync,
  oldKey: RecordsKey | undefined,
  newKey: RecordsKey | undefined,
): number {
  disableWal(database)
  const count = inTransaction(database, () => createRunCommand(database)(changeKey(oldKey, newKey)))
  if (newKey) vacuumFile(database)
  return count
}

/**
 * The WAL would retain old pages. The next writable connection enables it again. In journal mode DELETE only
 * `synchronous = EXTRA` makes a commit durable when it returns.
 */
function disableWal(database: DatabaseSync) {
  try {
    database.exec(`${disableWalSql}; PRAGMA synchronous = EXTRA`)
  } catch (cause) {
    if (diskErrorKind(cause) !== 'busy') throw cause
    throw new StorageOpenError(
      `The database ${database.location()} is open in another program. Close that program and run the command again. Nothing was changed.`,
      { cause },
    )
  }
}

function vacuumFile(database: DatabaseSync) {
  try {
    // Another connection may have enabled the WAL again.
    database.exec(`VACUUM; ${disableWalSql}`)
  } catch (cause) {
    throw new StorageOpenError(
      `The database ${database.location()} is encrypted with the new key, but its file may still contain the old content: ${(cause as Error).message}. Use the new key from now on, and run the command again with it as both RECORDS_KEY and NEW_RECORDS_KEY.`,
      { cause },
    )
  }
}

const disableWalSql = 'PRAGMA journal_mode = DELETE'
