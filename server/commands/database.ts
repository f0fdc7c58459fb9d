import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { readRecordsKey } from '../storage/encryption/read-records-key.ts'
import type { IntegrityReport } from '../storage/storage-admin.ts'
import { type Command, formatList } from './command.ts'
import { logOperation } from './history.ts'

export const databaseCommands: Command[] = [
  {
    usage: 'backup <file>',
    summary: 'writes a consistent copy of the database, also while the server runs',
    async run({ args: [target = ''], openAdmin }) {
      const admin = await openAdmin()
      const isSigned = await admin.backUp(resolve(target))
      const hint = isSigned ? '' : ' Without a checksum, because RECORDS_KEY is not set to its key.'
      return {
        json: { file: resolve(target) },
        text: `The database was copied to ${resolve(target)}.${hint}${await logOperation(admin, { kind: 'backup' })}`,
      }
    },
  },
  {
    usage: 'backup verify <file> [--unsigned]',
    summary: 'restores a backup into a temporary folder, and compares it with the database at its commit',
    async run({ args: [backup = ''], options, openAdmin }) {
      const { unsigned: acceptUnsigned = false } = options
      const report = await (await openAdmin()).verifyBackup(resolve(backup), { acceptUnsigned })
      const { problems, comparison } = report
      const sound = `${resolve(backup)} can be restored (${countsOf(report)}). ${comparisonTexts[comparison]}`
      const text = formatList(problems) || sound
      return { json: { file: resolve(backup), ...report }, text, failed: problems.length > 0 }
    },
  },
  {
    usage: 'restore <file> [--unsigned] [--with-removed]',
    summary:
      'replaces the database with a backup and retains the previous one; accounts that were removed since stay removed without --with-removed; the server must be stopped',
    async run({ args: [backup = ''], options, openAdmin }) {
      const { unsigned: acceptUnsigned = false, 'with-removed': withRemoved } = options
      const admin = await openAdmin()
      const { previousDir, removed } = await admin.restore(resolve(backup), { acceptUnsigned, withRemoved })
      const previousText = previousDir ? ` The previous database is in ${previousDir}.` : ''
      const text = `The database was restored from ${resolve(backup)}.${previousText} Everyone must sign in again.`
      return {
        json: { restored: resolve(backup), kept: previousDir ?? null, removed: removed ?? null },
        text: text + describeRemoved(removed, withRemoved),
      }
    },
  },
  {
    usage: 'check [<file>]',
    summary: 'checks the integrity of the database or of a backup, and changes nothing',
    async run({ args: [backup], openAdmin }) {
      const report = await (await openAdmin()).checkIntegrity(backup && resolve(backup))
      const { problems, file } = report
      const text = problems.join('\n') || `${file} is intact (${countsOf(report)}).`
      return { json: report, text, failed: problems.length > 0 }
    },
  },
  {
    usage: 'key new',
    summary: 'generates a key for RECORDS_KEY; store it separately from the backups',
    run() {
      const key = randomBytes(32).toString('base64')
      return { json: { key }, text: key }
    },
  },
  {
    usage: 'key change',
    summary:
      'encrypts the records with NEW_RECORDS_KEY instead of RECORDS_KEY (plain text if not set); the server must be stopped',
    async run({ terminal, openAdmin }) {
      const newKey = readRecordsKey(terminal.env, 'NEW_RECORDS_KEY')
      const records = await (await openAdmin()).changeKey(newKey)
      const state = newKey
        ? 'encrypted with NEW_RECORDS_KEY; start the server with it as RECORDS_KEY'
        : 'stored as plain text'
      return {
        json: { records, encrypted: newKey !== undefined },
        text: `The records (${records}) are ${state}.`,
      }
    },
  },
]

/** `removed`: emails of accounts that were removed, and that a restore or an import would bring back. */
export function describeRemoved(removed: string[] | undefined, isBroughtBack = false): string {
  if (!removed)
    return '\nThe previous database cannot be read: compare staffbook account list with whom you have removed.'
  const state = isBroughtBack ? ' and exist again' : ', and stay so without --with-removed'
  return removed.length === 0 ? '' : `\nAccounts that had been removed${state}: ${removed.join(', ')}.`
}

const countsOf = ({ records, accounts, revision }: IntegrityReport) =>
  `records: ${records}, accounts: ${accounts}, revision: ${revision}`

const comparisonTexts = {
  compared: 'It equals the database at this revision.',
  'no-database': 'There is no database to compare it with.',
  'other-database': 'The database was created or restored since, so they were not compared.',
}
