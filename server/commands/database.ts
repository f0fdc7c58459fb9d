import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { type Command, requireArgs } from './command.ts'

export const databaseCommands: Record<string, Command> = {
  backup: {
    usage: 'backup <file>',
    summary: 'copies the register as it is at one moment, also while the server runs',
    async run(context) {
      const [target = ''] = requireArgs(context, 1)
      await (await context.openAdmin()).backUp(resolve(target))
      return { json: { file: resolve(target) }, text: `The register was copied to ${resolve(target)}.` }
    },
  },
  restore: {
    usage: 'restore <file>',
    summary: 'puts a backup in the place of the register; the server must be stopped. What was there is kept',
    async run(context) {
      const [backup = ''] = requireArgs(context, 1)
      const kept = await (await context.openAdmin()).restore(resolve(backup))
      const previousText = kept ? ` What was there before is in ${kept}.` : ''
      const text = `The register is as it was in ${resolve(backup)}.${previousText} Everyone must sign in again.`
      return { json: { restored: resolve(backup), kept: kept ?? null }, text }
    },
  },
  check: {
    usage: 'check [<file>]',
    summary: 'examines the register, or a backup, and changes nothing',
    async run(context) {
      const [backup] = context.args.length > 0 ? requireArgs(context, 1) : []
      const report = await (await context.openAdmin()).checkIntegrity(
        backup === undefined ? undefined : resolve(backup),
      )
      const counts = `records: ${report.records}, accounts: ${report.accounts}, revision: ${report.revision}`
      const text =
        report.problems.length > 0 ? report.problems.join('\n') : `${report.file} is sound (${counts}).`
      return { json: report, text, failed: report.problems.length > 0 }
    },
  },
  'key new': {
    usage: 'key new',
    summary: 'makes a key for RECORDS_KEY; keep it apart from the backups',
    run(context) {
      requireArgs(context, 0)
      const key = randomBytes(32).toString('base64')
      return { json: { key }, text: key }
    },
  },
  'key change': {
    usage: 'key change',
    summary:
      'seals the records anew, from RECORDS_KEY (not set: plain) to NEW_RECORDS_KEY (not set: plain); the server must be stopped',
    async run(context) {
      requireArgs(context, 0)
      const to = context.newKey()
      const records = await (await context.openAdmin()).changeKey(to)
      const now = to
        ? 'encrypted with NEW_RECORDS_KEY; start the server with it as RECORDS_KEY'
        : 'stored plain'
      return {
        json: { records, encrypted: to !== undefined },
        text: `The records (${records}) are ${now}.`,
      }
    },
  },
}
