import { existsSync } from 'node:fs'
import type { RecordsKey } from '../../encryption/field-encryption.ts'
import type { RegisterTools } from '../../storage-admin.ts'
import { connect } from '../connect.ts'
import { claimFolder, inWords, registerFile } from '../data-dir.ts'
import { openSqlite } from '../open.ts'
import { changeKey } from '../rekey.ts'
import { backUp, requireBackup, requireRegister, restore } from './backup.ts'
import { examine } from './check.ts'
import { openAccounts, openReading } from './open-offline.ts'

/** The operator's tools on the register in a folder; `key` is the one it is sealed with. */
export function sqliteTools(folder: string, key: RecordsKey | undefined): RegisterTools {
  return {
    openAccounts({ makes = false } = {}) {
      if (makes && !existsSync(registerFile(folder))) claimFolder(folder, key).release()
      return openAccounts(folder)
    },
    openReading: async () => openReading(folder, key),
    // Nobody else is waiting: all that is asked for at once may wait, and is committed as one.
    open: () => openSqlite({ folder, maxWaiting: Number.POSITIVE_INFINITY, ...(key ? { key } : {}) }),
    backUp: (target) => backUp(folder, target),
    restore: (backup) => restore(folder, backup),
    examine(backup) {
      const file = backup === undefined ? requireRegister(folder) : requireBackup(backup)
      return { file, ...examine(file, key) }
    },
    changeKey(to) {
      requireRegister(folder)
      const { file, release } = claimFolder(folder, key)
      const database = connect(file)
      try {
        return inWords(`The key of ${file} was not changed`, () => changeKey(database, key, to))
      } finally {
        database.close()
        release()
      }
    },
  }
}
