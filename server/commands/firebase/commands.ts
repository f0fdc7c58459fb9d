import { resolve } from 'node:path'
import { type Command, type CommandContext, OperatorError, requireArgs, UsageError } from '../command.ts'
import { uploadsOf } from '../export-accounts.ts'
import { readExportFile } from '../export-file.ts'
import { formatRecordsResult, writeExport } from '../export-import.ts'
import { PromptCancelledError, promptSecret } from '../prompt.ts'
import { bringAccounts, sendResetMails } from './accounts.ts'
import { connectProject, type FirebaseProject } from './project.ts'
import { importRecords, readRecords, signIn } from './records.ts'

/** The project is the one of VITE_FIREBASE_*, in the environment or in `.env.local`. */
export const firebaseCommands: Record<string, Command> = {
  'firebase export': {
    usage: 'firebase export <email> <file> [--overwrite]',
    summary: 'writes the records of the Firebase project into one file; signs in there as <email>',
    options: ['overwrite'],
    async run(context) {
      const [email = '', file = ''] = requireArgs(context, 2)
      const books = await withMember(context, email, readRecords)
      return writeExport(context, file, { books, accounts: [] })
    },
  },
  'firebase import': {
    usage: 'firebase import <email> <file>',
    summary: 'brings the records of such a file to the Firebase project; signs in there as <email>',
    async run(context) {
      const [email = '', file = ''] = requireArgs(context, 2)
      const { books } = readExportFile(resolve(file))
      return formatRecordsResult(
        await withMember(context, email, (project, token) =>
          importRecords(project, token, books, context.reportProgress),
        ),
      )
    },
  },
  'firebase import-accounts': {
    usage: 'firebase import-accounts <file>',
    summary: 'brings its accounts with their passwords; asks for an access token of the project’s owner',
    async run(context) {
      const [file = ''] = requireArgs(context, 1)
      const { accounts, leftOut } = readExportFile(resolve(file))
      const project = connectProject(context.firebase())
      const token = await promptSecret('Access token (gcloud auth print-access-token): ')
      if (!token) throw new PromptCancelledError()
      const imported = await bringAccounts(project, token, uploadsOf(accounts))
      const json = { ...imported, leftOut: [...leftOut, ...imported.leftOut] }
      const text = [
        `Accounts brought: ${json.brought}; there already: ${json.there}.`,
        ...json.leftOut.map(({ account, why }) => `The account ${account} was left out: ${why}.`),
      ]
      return { json, text: text.join('\n'), failed: json.leftOut.length > 0 }
    },
  },
  'firebase reset-mails': {
    usage: 'firebase reset-mails <file> [<email>]',
    summary: 'has Firebase mail everyone in the file the way to a new password, beginning with <email>',
    async run(context) {
      const [file = '', first] = context.args.length === 2 ? requireArgs(context, 2) : requireArgs(context, 1)
      const emails = readExportFile(resolve(file)).accounts.map(({ email }) => email)
      const start = first === undefined ? 0 : emails.indexOf(first)
      if (start < 0) throw new OperatorError(`${file} has no account ${first}.`)
      await sendResetMails(connectProject(context.firebase()), emails.slice(start))
      const sent = emails.length - start
      return { json: { sent }, text: `Mails sent: ${sent}.` }
    },
  },
}

async function withMember<T>(
  context: CommandContext,
  email: string,
  work: (project: FirebaseProject, token: string) => Promise<T>,
): Promise<T> {
  const project = connectProject(context.firebase())
  if (!email.includes('@')) throw new UsageError(`${email} is no email.`)
  const password = await promptSecret(`Password of ${email} on Firebase: `)
  return work(project, await signIn(project, email, password))
}
