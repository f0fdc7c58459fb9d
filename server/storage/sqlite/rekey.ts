import type { DatabaseSync } from 'node:sqlite'
import { createFieldEncryption, type RecordsKey } from '../encryption/field-encryption.ts'
import { createKeyCheck, type KeyCheckResult, verifyKeyCheck } from '../encryption/key-check.ts'
import { reencryptPasswordKey } from '../encryption/password-digests.ts'
import { assignFields, type StoredFields, storedFieldsSql, toColumns } from '../field-columns.ts'
import {
  decryptPrevious,
  type EncryptedPrevious,
  encryptPrevious,
  previousFieldsSql,
} from '../previous-passwords.ts'
import { logActivity } from '../sql/history.ts'
import { StorageOpenError } from '../types.ts'
import { readRows } from './connect.ts'
import { diskErrorKind } from './disk-errors.ts'
import { createRunCommand } from './run-command.ts'

export function checkStoredKey(database: DatabaseSync, key: RecordsKey | undefined): KeyCheckResult {
  // The first schema had no keyProof.
  const { keyProof = null } = database.prepare('SELECT * FROM register').get() as {
    keyProof?: Uint8Array | null
  }
  return verifyKeyCheck(keyProof, key)
}

export function writeKeyCheck(database: DatabaseSync, key: RecordsKey | undefined): void {
  database.prepare('UPDATE register SET keyProof = ?').run(createKeyCheck(key))
}

/**
 * Re-encrypts every record in one transaction; either key may be undefined for plain text. Then rewrites the file, so
 * that no plain text remains in it. Returns the number of records. Throws `StorageOpenError` if another program has the
 * file open, or if the new key is in use but the file could not be rewritten.
 */
export function changeKey(
  database: DatabaseSync,
  oldKey: RecordsKey | undefined,
  newKey: RecordsKey | undefined,
): number {
  const [oldEncryption, newEncryption] = [createFieldEncryption(oldKey), createFieldEncryption(newKey)]
  disableWal(database)
  database.exec('BEGIN IMMEDIATE')
  try {
    const update = database.prepare(`UPDATE books SET ${assignFields(() => '?')} WHERE seq = ?`)
    const records = readRows<StoredFields>(database.prepare(storedFieldsSql))
    for (const row of records) {
      const fields = oldEncryption.decrypt(row.id, toColumns(row))
      update.run(...newEncryption.encrypt(row.id, fields), row.seq)
    }
    const updatePrevious = database.prepare('UPDATE previousPasswords SET fields = ? WHERE revision = ?')
    for (const { revision, id, fields } of readRows<EncryptedPrevious>(database.prepare(previousFieldsSql))) {
      const replaced = decryptPrevious(oldEncryption, id, fields)
      updatePrevious.run(encryptPrevious(newEncryption, id, replaced), revision)
    }
    // Digests cannot be derived from each other. Retries of earlier requests are then not compared.
    database.exec('UPDATE books SET digest = NULL WHERE digest IS NOT NULL')
    const storedKey = database.prepare('SELECT passwordKey FROM register').get()?.passwordKey
    const passwordKey = reencryptPasswordKey(storedKey, oldEncryption, newEncryption)
    database.prepare('UPDATE register SET passwordKey = ?').run(passwordKey)
    writeKeyCheck(database, newKey)
    createRunCommand(database)(logActivity({ kind: 'change-key' }))
    database.exec('COMMIT')
    if (newKey) vacuumFile(database)
    return records.filter(({ removed }) => !removed).length
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
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
