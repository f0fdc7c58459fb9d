import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFieldEncryption, type RecordsKey } from '../../encryption/field-encryption.ts'
import { accountReads } from '../../sql/accounts.ts'
import { createSqlStorage } from '../../sql/storage.ts'
import type { OfflineAccounts, ReadOnlyStorage, StorageAdmin } from '../../storage-admin.ts'
import { connect } from '../connect.ts'
import {
  databaseFile,
  openDataDir,
  requireLatestSchema,
  requireMatchingKey,
  withFailureText,
  withReserve,
} from '../data-dir.ts'
import { createEmployeeReader } from '../employees.ts'
import { openSqlite } from '../open.ts'
import { rekeyFile } from '../rekey.ts'
import { createRunCommand } from '../run-command.ts'
import { createCommands } from '../writer/commands.ts'
import { commitGroup } from '../writer/group-commit.ts'
import { type Command, toError } from '../writer/messages.ts'
import { backUp, requireBackup, requireDatabase, restore } from './backup.ts'
import { checkIntegrity } from './check.ts'
import { verifyBackup } from './verify.ts'

/** The operator's tools for the database in a folder. `key` is its current key. */
export function createSqliteAdmin(
  dataDir: string,
  key: RecordsKey | undefined,
  onWarning: (message: string) => void = () => {},
): StorageAdmin {
  return {
    openAccounts({ createIfMissing = false } = {}) {
      if (createIfMissing && !existsSync(databaseFile(dataDir))) openDataDir(dataDir, key).release()
      return openAccounts(dataDir)
    },
    openReadOnly: async () => openReadOnly(dataDir, key),
    open: () => openSqlite({ dataDir, key, onWarning, isOperator: true }),
    backUp: (target) => backUp(dataDir, target, key),
    restore: (backup, options) => restore(dataDir, backup, { key, onWarning, ...options }),
    verifyBackup: (backup, options) => verifyBackup(dataDir, backup, { key, ...options }),
    checkIntegrity(backup) {
      const file = backup === undefined ? requireDatabase(dataDir) : requireBackup(backup)
      return { file, ...checkIntegrity(file, key, backup !== undefined) }
    },
    changeKey(to) {
      requireDatabase(dataDir)
      const { file, warning, release } = openDataDir(dataDir, key)
      if (warning) onWarning(warning)
      try {
        return withFailureText(`The key of ${file} was not changed`, () => {
          using database = connect(file)
          return rekeyFile(database, key, to)
        })
      } finally {
        release()
      }
    },
  }
}

/** Nothing here writes records. */
const rules = { encryption: createFieldEncryption(undefined), keepDeleted: true, maxBytes: 0 }

/** The command line's access to accounts, sessions, links and the log, with or without a running server. Throws `StorageOpenError`. */
async function openAccounts(folder: string): Promise<OfflineAccounts> {
  const file = requireDatabase(folder)
  await withReserve(folder, () => requireLatestSchema(file))
  const { database, commands } = await withReserve(folder, () =>
    withFailureText(`The database ${file} cannot be opened`, () => {
      const database = connect(file)
      return { database, commands: createCommands(database, rules) }
    }),
  )
  const write = (...command: unknown[]) =>
    withReserve(folder, () => {
      const [result] = commitGroup(database, commands, [command as unknown as Command])
      if (result && 'error' in result) throw toError(result.error)
      return result?.value as never
    })
  return {
    ...createSqlStorage({ read: createRunCommand(database), write }, rules.encryption),
    async close() {
      await emptyLog(database)
      database.close()
    },
  }
}

/** How often, in ms, and how many times it is tried to empty the log. */
const emptyLogRetry = { delayMs: 100, maxAttempts: 10 }

/**
 * Empties the log, which closing does not beside a running server. That does so only after a write of its own, and until then a
 * copy of the database file alone would lack what was written here.
 */
async function emptyLog(database: DatabaseSync) {
  // Readers end soon: it is tried again instead of keeping writes of the server waiting.
  database.exec('PRAGMA busy_timeout = 0')
  const empty = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)')
  try {
    for (let attempt = 1; empty.get()?.busy === 1 && attempt < emptyLogRetry.maxAttempts; attempt++)
      await sleep(emptyLogRetry.delayMs)
  } catch {
    // On a full or failing disk the log stays, and nothing is lost.
  }
}

/** Opens records and accounts as of one commit, with or without a running server. Throws `StorageOpenError`. */
function openReadOnly(folder: string, key: RecordsKey | undefined): ReadOnlyStorage {
  const file = requireDatabase(folder)
  requireLatestSchema(file)
  requireMatchingKey(file, key)
  const database = connect(file, { readOnly: true })
  // The transaction reads the state at its first SELECT, even if others write afterwards.
  database.exec('BEGIN')
  return {
    employees: createEmployeeReader(database, createFieldEncryption(key)),
    accounts: { list: async () => createRunCommand(database)(accountReads.list()) },
    close: async () => database.close(),
  }
}
