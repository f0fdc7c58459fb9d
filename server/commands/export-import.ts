import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createCode, readCode, writeEmergencyFile } from '../../contract/emergency.ts'
import { OperatorError } from '../app-error.ts'
import { type Command, type CommandResult, formatList, promptSecret, withStorage } from './command.ts'
import { describeRemoved } from './database.ts'
import {
  type ExportContent,
  findInvalidEmployees,
  readExportFile,
  writeExportFile,
  writePrivateFile,
} from './export-file.ts'
import { logOperation } from './history.ts'
import { type ImportResult, importContent, loadEmployees } from './import-records.ts'

export const exportImportCommands: Command[] = [
  {
    usage: 'export <file> [--overwrite]',
    summary: 'writes all records and accounts to one JSON file, also while the server runs',
    async run({ args: [file = ''], options, openAdmin }) {
      const admin = await openAdmin()
      const content = await withStorage(admin.openReadOnly(), async ({ employees, accounts }) => ({
        books: [...(await loadEmployees(employees)).values()],
        accounts: await accounts.list(),
      }))
      writeExportFile(resolve(file), content, options.overwrite)
      const { text, ...output } = describeExport(resolve(file), content)
      const note = await logOperation(admin, { kind: 'export', count: content.books.length })
      return { ...output, text: text + note }
    },
  },
  {
    usage: 'emergency <file> [--overwrite]',
    summary:
      'writes all records to one page for the safe, also while the server runs; it asks for a code and opens with that code only',
    async run({ args: [file = ''], options, terminal, openAdmin }) {
      const viewer = readViewer()
      const key = readCode(await promptSecret('Code: ', terminal))
      if (!key) throw new OperatorError('This is not a code. Make one with "staffbook code new".')
      const admin = await openAdmin()
      const records = await withStorage(admin.openReadOnly(), async ({ employees }) => [
        ...(await loadEmployees(employees)).values(),
      ])
      const target = resolve(file)
      writePrivateFile(target, writeEmergencyFile(viewer, key, records), options.overwrite)
      const note = await logOperation(admin, { kind: 'emergency', count: records.length })
      return {
        json: { file: target, records: records.length },
        text: `All records (${records.length}) are in ${target}, encrypted.${note}`,
      }
    },
  },
  {
    usage: 'code new',
    summary: 'generates a code for emergency files; print it, and keep it apart from them',
    run() {
      const code = createCode()
      return { json: { code }, text: code }
    },
  },
  {
    usage: 'import <file> [--with-removed]',
    summary:
      'adds the records and accounts of an export, but not accounts that were removed without --with-removed; on SQLite in one transaction, and with the server stopped',
    async run({ args: [file = ''], options, openAdmin }) {
      const content = readExportFile(resolve(file))
      const withRemoved = options['with-removed']
      const admin = await openAdmin()
      return withStorage(admin.open(), async (storage) =>
        describeImport(await importContent(storage, content, withRemoved), withRemoved),
      )
    },
  },
]

/** Returns the page without records, which the build makes (`scripts/page-plugins.ts`). */
function readViewer(): string {
  try {
    return readFileSync(new URL('../../dist/emergency.html', import.meta.url), 'utf8')
  } catch {
    throw new OperatorError('The page is not built. "npm start" builds it.')
  }
}

function describeExport(file: string, { books, accounts: { length: accounts } }: ExportContent) {
  const records = books.length
  const notValid = findInvalidEmployees(books)
  const hashNote = accounts > 0 ? ' and the password hashes of the accounts' : ''
  const text = `Exported to ${file} (records: ${records}, accounts: ${accounts}). The file contains the passwords of the records as plain text${hashNote}. Protect it like the database, and delete it after use.`
  const problem = `\nIt cannot be imported until these records are corrected: ${formatList(notValid)}.`
  return {
    json: { file, records, accounts, notValid },
    text: notValid.length > 0 ? text + problem : text,
    failed: notValid.length > 0,
  }
}

function describeImport(result: ImportResult, withRemoved?: boolean): CommandResult {
  const { records, accounts } = result
  const { leftOut, withoutPassword } = accounts
  const lines = [`Records imported: ${records.brought}; already present: ${records.there}.`]
  if (records.kept.length > 0)
    lines.push(`Present with other fields and not changed: ${formatList(records.kept)}.`)
  lines.push(
    `Accounts imported: ${accounts.brought}; already present: ${accounts.there}.`,
    ...leftOut.map(({ account, why }) => `The account ${account} was not imported: ${why}.`),
  )
  if (withoutPassword.length > 0)
    lines.push(
      `Accounts without a password: ${formatList(withoutPassword)}. To set one: staffbook account reset-password <email>`,
    )
  return {
    json: result,
    text: lines.join('\n') + describeRemoved(accounts.removed, withRemoved),
    failed: records.kept.length > 0 || leftOut.length > 0,
  }
}
