import { resolve } from 'node:path'
import type { Account } from '../storage/storage.ts'
import { type Command, type Context, listed, type Result, requireArgs } from './command.ts'
import { type Content, readRegisterFile, writeRegisterFile, wrongBooks } from './export-file.ts'
import { type Brought, type BroughtRecords, bringIn, readAll } from './import-records.ts'

export const moveCommands: Record<string, Command> = {
  export: {
    usage: 'export <file> [--overwrite]',
    summary:
      'writes all records and accounts into one file, for another register; also while the server runs',
    options: ['overwrite'],
    async run(context) {
      const [file = ''] = requireArgs(context, 1)
      const register = await (await context.register()).openReading()
      try {
        return exported(context, file, {
          books: [...(await readAll(register.books)).values()],
          accounts: await register.accounts.list(),
        })
      } finally {
        await register.close()
      }
    },
  },
  import: {
    usage: 'import <file>',
    summary:
      'brings what such a file holds into the register; with the embedded storage all or nothing, and with the server stopped',
    async run(context) {
      const [file = ''] = requireArgs(context, 1)
      const { leftOut, ...content } = readRegisterFile(resolve(file))
      const register = await (await context.register()).open()
      try {
        const { records, accounts } = await bringIn(register, content)
        return imported({ records, accounts: { ...accounts, leftOut: [...leftOut, ...accounts.leftOut] } })
      } finally {
        await register.close()
      }
    },
  },
}

/** Writes the file, and says what stands in it. */
export function exported({ options }: Context, file: string, content: Content): Result {
  writeRegisterFile(resolve(file), content, options.overwrite)
  const [records, accounts] = [content.books.length, content.accounts.length]
  const notValid = wrongBooks(content.books)
  const text = [
    `${resolve(file)} holds the register (records: ${records}, accounts: ${accounts}). The records' passwords stand in it as they are${hashes(content.accounts)}: keep it as safe as the register, and delete it when it has served.`,
    ...(notValid.length > 0 ? [`No register takes it before these are mended: ${listed(notValid)}.`] : []),
  ]
  return {
    json: { file: resolve(file), records, accounts, notValid },
    text: text.join('\n'),
    failed: notValid.length > 0,
  }
}

const hashes = (accounts: Account[]) => (accounts.length > 0 ? ', and the hashes of the accounts' : '')

function imported(brought: Brought): Result {
  const { brought: count, there, leftOut, withoutPassword } = brought.accounts
  const told = [
    `Accounts brought: ${count}; there already: ${there}.`,
    ...leftOut.map(({ account, why }) => `The account ${account} was left out: ${why}.`),
    ...(withoutPassword.length > 0
      ? [
          `No password yet (staffbook account list tells who): ${listed(withoutPassword)}. To hand one out: staffbook account reset-password <email>`,
        ]
      : []),
  ]
  const records = broughtRecords(brought.records)
  return {
    json: brought,
    text: [records.text, ...told].join('\n'),
    failed: Boolean(records.failed) || leftOut.length > 0,
  }
}

/** What a person is told of records that were brought. */
export function broughtRecords({ brought, there, kept }: BroughtRecords): Result {
  const text = [
    `Records brought: ${brought}; there already: ${there}.`,
    ...(kept.length > 0 ? [`There with other fields, and left as they are: ${listed(kept)}.`] : []),
  ]
  return { json: { brought, there, kept }, text: text.join('\n'), failed: kept.length > 0 }
}
