import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createCode, readCode, writeEmergencyFile } from '../../contract/emergency.ts'
import { OperatorError } from '../app-error.ts'
import {
  type Command,
  type CommandContext,
  type CommandResult,
  formatList,
  promptSecret,
  requireArgs,
  withStorage,
} from './command.ts'
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

export const exportImportCommands: Record<string, Command> = {
  export: {
    usage: 'export <file> [--overwrite]',
    summary: 'writes all records and accounts to one JSON file, also while the server runs',
    options: ['overwrite'],
    async run(context) {
      const [file = ''] = requireArgs(context, 1)
      const admin = await context.openAdmin()
      return withStorage(admin.openReadOnly(), async ({ employees, accounts }) => {
        const books = [...(await loadEmployees(employees)).values()]
        const output = writeExport(context, resolve(file), { books, accounts: await accounts.list() })
        const note = await logOperation(admin, { kind: 'export', count: books.length })
        return { ...output, text: output.text + note }
      })
    },
  },
  emergency: {
    usage: 'emergency <file> [--overwrite]',
    summary:
      'writes all records to one page for the safe, also while the server runs; it asks for a code and opens with that code only',
    options: ['overwrite'],
    async run(context) {
      const [file = ''] = requireArgs(context, 1)
      const viewer = readViewer()
      const key = readCode(await promptSecret('Code: '))
      if (!key) throw new OperatorError('This is not a code. Make one with "staffbook code new".')
      const admin = await context.openAdmin()
      return withStorage(admin.openReadOnly(), async ({ employees }) => {
        const records = [...(await loadEmployees(employees)).values()]
        const target = resolve(file)
        writePrivateFile(target, writeEmergencyFile(viewer, key, records), context.options.overwrite)
        const note = await logOperation(admin, { kind: 'export', count: records.length })
        return {
          json: { file: target, records: records.length },
          text: `All records (${records.length}) are in ${target}, encrypted.${note}`,
        }
      })
    },
  },
  'code new': {
    usage: 'code new',
    summary: 'generates a code for emergency files; print it, and keep it apart from them',
    run(context) {
      requireArgs(context, 0)
      const code = createCode()
      return { json: { code }, text: code }
    },
  },
  import: {
    usage: 'import <file> [--with-removed]',
    options: ['with-removed'],
    summary:
      'adds the records and accounts of an export, but not accounts that were removed without --with-removed; on SQLite in one transaction, and with the server stopped',
    async run(context) {
      const [file = ''] = requireArgs(context, 1)
      const content = readExportFile(resolve(file))
      const withRemoved = context.options['with-removed']
      const admin = await context.openAdmin()
      return withStorage(admin.open(), async (storage) =>
        formatImportResult(await importContent(storage, content, withRemoved), withRemoved),
      )
    },
  },
}

/** Returns the page without records, which the build makes (`scripts/page-plugins.ts`). */
function readViewer(): string {
  try {
    return readFileSync(new URL('../../dist/emergency.html', import.meta.url), 'utf8')
  } catch {
    throw new OperatorError('The page is not built. "npm start" builds it.')
  }
}

/** Writes the file and reports its content. */
function writeExport({ options }: CommandContext, file: string, content: ExportContent): CommandResult {
  writeExportFile(file, content, options.overwrite)
  const [records, accounts] = [content.books.length, content.accounts.length]
  const notValid = findInvalidEmployees(content.books)
  const hashNote = accounts > 0 ? ' and the password hashes of the accounts' : ''
  const text = `Exported to ${file} (records: ${records}, accounts: ${accounts}). The file contains the passwords of the records as plain text${hashNote}. Protect it like the database, and delete it after use.`
  const problem = `\nIt cannot be imported until these records are corrected: ${formatList(notValid)}.`
  return {
    json: { file, records, accounts, notValid },
    text: notValid.length > 0 ? text + problem : text,
    failed: notValid.length > 0,
  }
}

/** Operators' scripts read the JSON: its keys must not change. */
function formatImportResult({ records, accounts }: ImportResult, withRemoved?: boolean): CommandResult {
  const { conflicts } = records
  const { rejected, withoutPassword, removed } = accounts
  const lines = [`Records imported: ${records.imported}; already present: ${records.existing}.`]
  if (conflicts.length > 0) lines.push(`Present with other fields and not changed: ${formatList(conflicts)}.`)
  lines.push(
    `Accounts imported: ${accounts.imported}; already present: ${accounts.existing}.`,
    ...rejected.map(({ account, why }) => `The account ${account} was not imported: ${why}.`),
  )
  if (withoutPassword.length > 0)
    lines.push(
      `Accounts without a password: ${formatList(withoutPassword)}. To set one: staffbook account reset-password <email>`,
    )
  return {
    json: {
      records: { brought: records.imported, there: records.existing, kept: conflicts },
      accounts: {
        brought: accounts.imported,
        there: accounts.existing,
        leftOut: rejected,
        withoutPassword,
        removed,
      },
    },
    text: lines.join('\n') + describeRemoved(removed, withRemoved),
    failed: conflicts.length > 0 || rejected.length > 0,
  }
}
