import { resolve } from 'node:path'
import type { Account } from '../storage/storage.ts'
import { type Command, type CommandContext, type CommandOutput, formatList, requireArgs } from './command.ts'
import { type ExportContent, findInvalidEmployees, readExportFile, writeExportFile } from './export-file.ts'
import {
  type ImportResult,
  importContent,
  loadEmployees,
  type RecordsImportResult,
} from './import-records.ts'

export const exportImportCommands: Record<string, Command> = {
  export: {
    usage: 'export <file> [--overwrite]',
    summary:
      'writes all records and accounts into one file, for another register; also while the server runs',
    options: ['overwrite'],
    async run(context) {
      const [file = ''] = requireArgs(context, 1)
      const storage = await (await context.openAdmin()).openReadOnly()
      try {
        return writeExport(context, file, {
          books: [...(await loadEmployees(storage.employees)).values()],
          accounts: await storage.accounts.list(),
        })
      } finally {
        await storage.close()
      }
    },
  },
  import: {
    usage: 'import <file>',
    summary:
      'brings what such a file holds into the register; with the embedded storage all or nothing, and with the server stopped',
    async run(context) {
      const [file = ''] = requireArgs(context, 1)
      const content = readExportFile(resolve(file))
      const storage = await (await context.openAdmin()).open()
      try {
        return formatImportResult(await importContent(storage, content))
      } finally {
        await storage.close()
      }
    },
  },
}

/** Writes the file, and says what stands in it. */
export function writeExport(
  { options }: CommandContext,
  file: string,
  content: ExportContent,
): CommandOutput {
  writeExportFile(resolve(file), content, options.overwrite)
  const [records, accounts] = [content.books.length, content.accounts.length]
  const notValid = findInvalidEmployees(content.books)
  const text = [
    `${resolve(file)} holds the register (records: ${records}, accounts: ${accounts}). The records' passwords stand in it as they are${passwordHashNote(content.accounts)}: keep it as safe as the register, and delete it when it has served.`,
    ...(notValid.length > 0
      ? [`No register takes it before these are mended: ${formatList(notValid)}.`]
      : []),
  ]
  return {
    json: { file: resolve(file), records, accounts, notValid },
    text: text.join('\n'),
    failed: notValid.length > 0,
  }
}

const passwordHashNote = (accounts: Account[]) =>
  accounts.length > 0 ? ', and the hashes of the accounts' : ''

function formatImportResult(brought: ImportResult): CommandOutput {
  const { brought: count, there, leftOut, withoutPassword } = brought.accounts
  const accountLines = [
    `Accounts brought: ${count}; there already: ${there}.`,
    ...leftOut.map(({ account, why }) => `The account ${account} was left out: ${why}.`),
    ...(withoutPassword.length > 0
      ? [
          `No password yet (staffbook account list tells who): ${formatList(withoutPassword)}. To hand one out: staffbook account reset-password <email>`,
        ]
      : []),
  ]
  const records = formatRecordsResult(brought.records)
  return {
    json: brought,
    text: [records.text, ...accountLines].join('\n'),
    failed: Boolean(records.failed) || leftOut.length > 0,
  }
}

/** What a person is told of records that were brought. */
export function formatRecordsResult({ brought, there, kept }: RecordsImportResult): CommandOutput {
  const text = [
    `Records brought: ${brought}; there already: ${there}.`,
    ...(kept.length > 0 ? [`There with other fields, and left as they are: ${formatList(kept)}.`] : []),
  ]
  return { json: { brought, there, kept }, text: text.join('\n'), failed: kept.length > 0 }
}
