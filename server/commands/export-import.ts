import { resolve } from 'node:path'
import type { Account } from '../storage/storage.ts'
import { type Command, type CommandContext, type CommandResult, formatList, requireArgs } from './command.ts'
import { type ExportContent, findInvalidEmployees, readExportFile, writeExportFile } from './export-file.ts'
import { logOperation } from './history.ts'
import {
  type ImportResult,
  importContent,
  loadEmployees,
  type RecordsImportResult,
} from './import-records.ts'

export const exportImportCommands: Record<string, Command> = {
  export: {
    usage: 'export <file> [--overwrite]',
    summary: 'writes all records and accounts to one JSON file, also while the server runs',
    options: ['overwrite'],
    async run(context) {
      const [file = ''] = requireArgs(context, 1)
      const admin = await context.openAdmin()
      const storage = await admin.openReadOnly()
      try {
        const books = [...(await loadEmployees(storage.employees)).values()]
        const output = writeExport(context, file, { books, accounts: await storage.accounts.list() })
        const note = await logOperation(admin, { kind: 'export', count: books.length })
        return { ...output, text: output.text + note }
      } finally {
        await storage.close()
      }
    },
  },
  import: {
    usage: 'import <file>',
    summary:
      'adds the records and accounts of an export; on SQLite in one transaction, and with the server stopped',
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

/** Writes the file and reports its content. */
function writeExport({ options }: CommandContext, file: string, content: ExportContent): CommandResult {
  writeExportFile(resolve(file), content, options.overwrite)
  const [records, accounts] = [content.books.length, content.accounts.length]
  const notValid = findInvalidEmployees(content.books)
  const text = [
    `Exported to ${resolve(file)} (records: ${records}, accounts: ${accounts}). The file contains the passwords of the records as plain text${passwordHashNote(content.accounts)}. Protect it like the database, and delete it after use.`,
    ...(notValid.length > 0
      ? [`It cannot be imported until these records are corrected: ${formatList(notValid)}.`]
      : []),
  ]
  return {
    json: { file: resolve(file), records, accounts, notValid },
    text: text.join('\n'),
    failed: notValid.length > 0,
  }
}

const passwordHashNote = (accounts: Account[]) =>
  accounts.length > 0 ? ' and the password hashes of the accounts' : ''

function formatImportResult(result: ImportResult): CommandResult {
  const { imported, existing, rejected, withoutPassword } = result.accounts
  const accountLines = [
    `Accounts imported: ${imported}; already present: ${existing}.`,
    ...rejected.map(({ account, why }) => `The account ${account} was not imported: ${why}.`),
    ...(withoutPassword.length > 0
      ? [
          `Accounts without a password: ${formatList(withoutPassword)}. To set one: staffbook account reset-password <email>`,
        ]
      : []),
  ]
  const records = formatRecordsResult(result.records)
  return {
    json: result,
    text: [records.text, ...accountLines].join('\n'),
    failed: Boolean(records.failed) || rejected.length > 0,
  }
}

/** The output of an import of records. */
function formatRecordsResult({ imported, existing, conflicts }: RecordsImportResult): CommandResult {
  const text = [
    `Records imported: ${imported}; already present: ${existing}.`,
    ...(conflicts.length > 0 ? [`Present with other fields and not changed: ${formatList(conflicts)}.`] : []),
  ]
  return { json: { imported, existing, conflicts }, text: text.join('\n'), failed: conflicts.length > 0 }
}
