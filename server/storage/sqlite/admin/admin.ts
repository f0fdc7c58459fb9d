import { existsSync } from 'node:fs'
import type { RecordsKey } from '../../encryption/field-encryption.ts'
import type { StorageAdmin } from '../../storage-admin.ts'
import { connect } from '../connect.ts'
import { databaseFile, openDataDir, withFailureText } from '../data-dir.ts'
import { openSqlite } from '../open.ts'
import { changeKey } from '../rekey.ts'
import { backUp, requireBackup, requireDatabase, restore } from './backup.ts'
import { checkIntegrity } from './check.ts'
import { openAccounts, openReadOnly } from './open-offline.ts'
import { verifyBackup } from './verify.ts'

/** The operator's tools for the database in a folder. `key` is its current key. */
export function createSqliteAdmin(dataDir: string, key: RecordsKey | undefined): StorageAdmin {
  return {
    openAccounts({ createIfMissing = false } = {}) {
      if (createIfMissing && !existsSync(databaseFile(dataDir))) openDataDir(dataDir, key).release()
      return openAccounts(dataDir)
    },
    openReadOnly: async () => openReadOnly(dataDir, key),
    // No limit: the command line has no other clients, and its concurrent writes are committed together.
    open: () =>
      openSqlite({
        dataDir,
        maxWaiting: Number.POSITIVE_INFINITY,
        inOneMessage: true,
        ...(key ? { key } : {}),
      }),
    backUp: (target) => backUp(dataDir, target, key),
    restore: (backup, options) => restore(dataDir, backup, { key, ...options }),
    verifyBackup: (backup, options) => verifyBackup(dataDir, backup, { key, ...options }),
    checkIntegrity(backup) {
      const file = backup === undefined ? requireDatabase(dataDir) : requireBackup(backup)
      return { file, ...checkIntegrity(file, key, backup !== undefined) }
    },
    changeKey(to) {
      requireDatabase(dataDir)
      const { file, release } = openDataDir(dataDir, key)
      const database = connect(file)
      try {
        return withFailureText(`The key of ${file} was not changed`, () => changeKey(database, key, to))
      } finally {
        database.close()
        release()
      }
    },
  }
}
