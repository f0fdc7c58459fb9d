import type { AccountStorage, SessionStorage } from '../port.ts'
import { accountsOn } from './accounts.ts'
import { requireRegister } from './backup.ts'
import { createCommands } from './commands.ts'
import { connect } from './connect.ts'
import type { Command } from './messages.ts'
import { sealingWith } from './sealing.ts'
import { sessionsOn } from './sessions.ts'
import { commitTogether } from './transaction.ts'

/** The accounts and sessions of a register, for a program that runs beside the server or without one. */
export function openAccounts(folder: string): {
  accounts: AccountStorage
  sessions: SessionStorage
  close: () => void
} {
  const database = connect(requireRegister(folder))
  const commands = createCommands(database, sealingWith(undefined))
  const write = async (...command: unknown[]) => {
    const [answer] = commitTogether(database, commands, [command as unknown as Command])
    if (answer && 'value' in answer) return answer.value as never
    throw new Error(answer?.error.message)
  }
  return {
    accounts: accountsOn(database, write),
    sessions: sessionsOn(database, write),
    close: () => database.close(),
  }
}
