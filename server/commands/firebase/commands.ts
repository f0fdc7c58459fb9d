import { resolve } from 'node:path'
import { type Command, type CommandContext, requireArgs, UsageError } from '../command.ts'
import { readExportFile } from '../export-file.ts'
import { formatRecordsResult, writeExport } from '../export-import.ts'
import { promptSecret } from '../prompt.ts'
import { connectProject, type FirebaseProject } from './project.ts'
import { importRecords, readRecords, signIn } from './records.ts'

/** VITE_FIREBASE_* in the environment or in `.env.local` names the project. */
export const firebaseCommands: Record<string, Command> = {
  'firebase export': {
    usage: 'firebase export <email> <file> [--overwrite]',
    summary: 'writes the records of the Firebase project to one JSON file; signs in there as <email>',
    options: ['overwrite'],
    async run(context) {
      const [email = '', file = ''] = requireArgs(context, 2)
      const books = await withMember(context, email, readRecords)
      return writeExport(context, file, { books, accounts: [] })
    },
  },
  'firebase import': {
    usage: 'firebase import <email> <file>',
    summary: 'adds the records of an export to the Firebase project; signs in there as <email>',
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
}

async function withMember<T>(
  context: CommandContext,
  email: string,
  task: (project: FirebaseProject, token: string) => Promise<T>,
): Promise<T> {
  const project = connectProject(context.firebase())
  if (!email.includes('@')) throw new UsageError(`${email} is not an email address.`)
  const password = await promptSecret(`Password of ${email} on Firebase: `)
  return task(project, await signIn(project, email, password))
}
