import { type RecordsKey, sealingWith } from '../../encryption/field-encryption.ts'
import type { AccountStorage, SessionStorage } from '../../storage.ts'
import type { Reading } from '../../storage-admin.ts'
import { accountsOn } from '../accounts.ts'
import { connect } from '../connect.ts'
import { checkKey, checkRegister, FolderError, inWords } from '../data-dir.ts'
import { readBooks } from '../employees.ts'
import { newestVersion } from '../migrate.ts'
import { sessionsOn } from '../sessions.ts'
import { createCommands } from '../writer/commands.ts'
import { commitTogether } from '../writer/group-commit.ts'
import { type Command, errorOf } from '../writer/messages.ts'
import { requireRegister } from './backup.ts'

/** The accounts and sessions of a register, for a program that runs beside the server or without one. */
export function openAccounts(folder: string): {
  accounts: AccountStorage
  sessions: SessionStorage
  close: () => void
} {
  const file = requireRegister(folder)
  requireCurrent(file)
  const { database, commands } = inWords(`The register ${file} cannot be opened`, () => {
    const database = connect(file)
    return { database, commands: createCommands(database, sealingWith(undefined)) }
  })
  const write = async (...command: unknown[]) => {
    const [answer] = commitTogether(database, commands, [command as unknown as Command])
    if (answer && 'error' in answer) throw errorOf(answer.error)
    return answer?.value as never
  }
  return {
    accounts: accountsOn(database, write),
    sessions: sessionsOn(database, write),
    close: () => database.close(),
  }
}

/** The records and accounts of a register at one commit, for a program that runs beside the server or without one. */
export function openReading(folder: string, key: RecordsKey | undefined): Reading {
  const file = requireRegister(folder)
  requireCurrent(file)
  checkKey(file, key)
  const database = connect(file, { readOnly: true })
  // A transaction sees the register as it was at its first reading, whatever is written meanwhile.
  database.exec('BEGIN')
  return {
    books: readBooks(database, sealingWith(key)),
    accounts: accountsOn(database, refuseToWrite),
    close: async () => database.close(),
  }
}

/** Looks without touching it whether the file is a register, sound, and of this version. Throws `FolderError`. */
function requireCurrent(file: string): void {
  if (checkRegister(file) === newestVersion()) return
  throw new FolderError(`The register ${file} is of an older version. Start the server once, and stop it.`)
}

async function refuseToWrite(): Promise<never> {
  throw new Error('This connection reads.')
}
