import { toEmailKey } from '../../contract/accounts.ts'
import type { LoggedActivity, NewActivity } from '../storage/history.ts'
import type { StorageAdmin } from '../storage/storage-admin.ts'
import { type Command, OperatorError, requireArgs, withStorage } from './command.ts'

export const historyCommands: Record<string, Command> = {
  activity: {
    usage: 'activity',
    summary: 'prints who did what, the oldest first, as lines of JSON',
    async run(context) {
      requireArgs(context, 0)
      return { lines: readActivity(await context.openAdmin()) }
    },
  },
  leaver: {
    usage: 'leaver <email>',
    summary: 'lists the ids of the records whose password has not changed since the account was removed',
    async run(context) {
      const [email = ''] = requireArgs(context, 1)
      const admin = await context.openAdmin()
      return withStorage(admin.openAccounts(), async ({ accounts, history }) => {
        const key = toEmailKey(email)
        const account = await accounts.findByEmailKey(key)
        const former = (await history.listFormerAccounts()).findLast((one) => toEmailKey(one.email) === key)
        const uid = account?.uid ?? former?.uid
        const exposed = uid === undefined ? undefined : await history.findExposed(uid)
        if (!exposed) throw new OperatorError(`There was no account ${email}.`)
        const since = exposed.canSignIn
          ? `${email} can still sign in and read every record`
          : `Records whose password has not changed since ${email} was removed`
        return {
          json: { email, ...exposed },
          text: [`${since}: ${exposed.ids.length}.`, ...exposed.ids].join('\n'),
        }
      })
    },
  },
}

async function* readActivity(admin: StorageAdmin): AsyncGenerator<string> {
  const { history, close } = await admin.openAccounts()
  try {
    for await (const page of history.loadActivity())
      for (const entry of page) yield JSON.stringify(toLine(entry))
  } finally {
    await close()
  }
}

function toLine({ at, by, ...rest }: LoggedActivity) {
  const known = Object.entries(rest).filter(([, value]) => value !== null)
  return { time: new Date(at).toISOString(), by: by ?? 'operator', ...Object.fromEntries(known) }
}

/**
 * Logs a command that only reads. Returns a note for the operator if that fails, because the database cannot be written; else an
 * empty text.
 */
export async function logOperation(admin: StorageAdmin, activity: NewActivity): Promise<string> {
  try {
    await withStorage(admin.openAccounts(), ({ history }) => history.log(activity))
    return ''
  } catch (error) {
    return ` This was not logged: ${(error as Error).message}`
  }
}
