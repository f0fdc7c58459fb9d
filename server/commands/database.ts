import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { type Command, formatList, requireArgs } from './command.ts'
import { logOperation } from './history.ts'

export const databaseCommands: Record<string, Command> = {
  backup: {
    usage: 'backup <file>',
    summary: 'writes a consistent copy of the database, also while the server runs',
    async run(context) {
      const [target = ''] = requireArgs(context, 1)
      const admin = await context.openAdmin()
      const isSigned = await admin.backUp(resolve(target))
      const hint = isSigned ? '' : ' Without a checksum, because RECORDS_KEY is not set to its key.'
      return {
        json: { file: resolve(target) },
        text: `The database was copied to ${resolve(target)}.${hint}${await logOperation(admin, { kind: 'backup' })}`,
      }
    },
  },
  'backup verify': {
    usage: 'backup verify <file> [--unsigned]',
    options: ['unsigned'],
    summary: 'restores a backup into a temporary folder, and compares it with the database at its commit',
    async run(context) {
      const [backup = ''] = requireArgs(context, 1)
      const options = { acceptUnsigned: context.options.unsigned ?? false }
      const report = await (await context.openAdmin()).verifyBackup(resolve(backup), options)
      const { problems, records, accounts, revision, comparison } = report
      const counts = `records: ${records}, accounts: ${accounts}, revision: ${revision}`
      const sound = `${resolve(backup)} can be restored (${counts}). ${comparisonTexts[comparison]}`
      const text = problems.length > 0 ? formatList(problems) : sound
      return { json: { file: resolve(backup), ...report }, text, failed: problems.length > 0 }
    },
  },
  restore: {
    usage: 'restore <file> [--unsigned] [--with-removed]',
    options: ['unsigned', 'with-removed'],
    summary:
      'replaces the database with a backup and retains the previous one; accounts that were removed since stay removed without --with-removed; the server must be stopped',
    async run(context) {
      const [backup = ''] = requireArgs(context, 1)
      const { unsigned: acceptUnsigned = false, 'with-removed': withRemoved } = context.options
      const admin = await context.openAdmin()
      const { previousDir, removed } = await admin.restore(resolve(backup), { acceptUnsigned, withRemoved })
      const previousText = previousDir ? ` The previous database is in ${previousDir}.` : ''
      const text = `The database was restored from ${resolve(backup)}.${previousText} Everyone must sign in again.`
      return {
        json: { restored: resolve(backup), kept: previousDir ?? null, removed: removed ?? null },
        text: text + describeRemoved(removed, withRemoved),
      }
    },
  },
  check: {
    usage: 'check [<file>]',
    summary: 'checks the integrity of the database or of a backup, and changes nothing',
    async run(context) {
      const [backup] = context.args.length > 0 ? requireArgs(context, 1) : []
      const report = await (await context.openAdmin()).checkIntegrity(
        backup === undefined ? undefined : resolve(backup),
      )
      const counts = `records: ${report.records}, accounts: ${report.accounts}, revision: ${report.revision}`
      const text =
        report.problems.length > 0 ? report.problems.join('\n') : `${report.file} is intact (${counts}).`
      return { json: report, text, failed: report.problems.length > 0 }
    },
  },
  'key new': {
    usage: 'key new',
    summary: 'generates a key for RECORDS_KEY; store it separately from the backups',
    run(context) {
      requireArgs(context, 0)
      const key = randomBytes(32).toString('base64')
      return { json: { key }, text: key }
    },
  },
  'key change': {
    usage: 'key change',
    summary:
      'encrypts the records with NEW_RECORDS_KEY instead of RECORDS_KEY (plain text if not set); the server must be stopped',
    async run(context) {
      requireArgs(context, 0)
      const newKey = context.newKey()
      const records = await (await context.openAdmin()).changeKey(newKey)
      const state = newKey
        ? 'encrypted with NEW_RECORDS_KEY; start the server with it as RECORDS_KEY'
        : 'stored as plain text'
      return {
        json: { records, encrypted: newKey !== undefined },
        text: `The records (${records}) are ${state}.`,
      }
    },
  },
}

/** `removed`: emails of accounts that were removed, and that a restore or an import would bring back. */
export function describeRemoved(removed: string[] | undefined, isBroughtBack = false): string {
  if (!removed)
    return '\nThe previous database cannot be read: compare staffbook account list with whom you have removed.'
  const state = isBroughtBack ? ' and exist again' : ', and stay so without --with-removed'
  return removed.length === 0 ? '' : `\nAccounts that had been removed${state}: ${removed.join(', ')}.`
}

const comparisonTexts = {
  compared: 'It equals the database at this revision.',
  'no-database': 'There is no database to compare it with.',
  'other-database': 'The database was created or restored since, so they were not compared.',
}
