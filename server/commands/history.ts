import { domainToUnicode } from 'node:url'
import { toEmailKey, toTimestamp } from '../../contract/accounts.ts'
import { type ActivityGroup, groupNames } from '../../contract/activity/activity.ts'
import { findLookAlikes } from '../../contract/emails/look-alikes.ts'
import { OperatorError } from '../app-error.ts'
import { restoreDeletion } from '../records/history/retention.ts'
import { parseRanges } from '../storage/activity.ts'
import type { ActivityFilter, ActivityKind, LoggedActivity, NewActivity, Person } from '../storage/history.ts'
import type { HistoryStorage } from '../storage/storage.ts'
import type { StorageAdmin } from '../storage/storage-admin.ts'
import { type Command, type Options, UsageError, withStorage } from './command.ts'

export const historyCommands: Command[] = [
  {
    usage: 'activity [--since <time>] [--by <email>] [--kind <kind>] [--records]',
    summary: `prints who did what, the oldest first, as lines of JSON; --kind is one of ${groupNames.join(', ')}; --by operator: the operator; --records names the records of batches`,
    async run({ options, openAdmin }) {
      const since = options.since === undefined ? undefined : readSince(options)
      const group = readGroup(options)
      return { lines: readActivity(await openAdmin(), { since, group }, options) }
    },
  },
  {
    usage: 'added <email> --since <time> [--remove]',
    summary:
      'lists the records that an account has added since a time; --remove deletes them, on SQLite with the server stopped',
    async run({ args: [email = ''], options, openAdmin }) {
      const since = readSince(options)
      const admin = await openAdmin()
      if (!options.remove) {
        const found = await withStorage(admin.openAccounts(), ({ history }) =>
          findAdded(history, email, since),
        )
        const title = `Records that ${email} has added: ${found.ids.length}.`
        return { json: { email, ...found }, text: [title, ...found.ids].join('\n') }
      }
      return withStorage(admin.open(), async ({ employees, history }) => {
        const { ids } = await findAdded(history, email, since)
        await Promise.all(ids.map((id) => employees.remove(id)))
        const hint = 'To restore them: staffbook deleted restore --since <time>.'
        return { json: { email, removed: ids }, text: `Records deleted: ${ids.length}. ${hint}` }
      })
    },
  },
  {
    usage: 'deleted restore --since <time> [--by <email>]',
    summary:
      'restores what was deleted since a time, by one account or by anyone; on SQLite with the server stopped',
    async run({ options, openAdmin }) {
      const { by: email } = options
      const [since, until] = [readSince(options), Date.now()]
      return withStorage((await openAdmin()).open(), async ({ employees, history }) => {
        const people = email === undefined ? undefined : findByEmail(await history.listPeople(), email)
        const deletion = { since, until, by: people?.map((person) => person.email) }
        let restored = 0
        for (let some = 1; some > 0; restored += some)
          some = await restoreDeletion(employees, history, deletion)
        return { json: { restored }, text: `Records restored: ${restored}.` }
      })
    },
  },
  {
    usage: 'clock confirm',
    summary: 'says that a clock that the server doubts is right, so that it wipes again what has expired',
    async run({ openAdmin }) {
      return withStorage((await openAdmin()).openAccounts(), async ({ history }) => {
        const wasDoubted = (await history.readClockDoubtAge()) !== undefined
        const time = new Date().toISOString()
        if (wasDoubted) await history.log({ kind: 'confirm-clock' })
        const text = wasDoubted ? `The clock is confirmed: it is ${time}.` : 'The clock is not in doubt.'
        return { json: { time, wasDoubted }, text }
      })
    },
  },
  {
    usage: 'leaver <email>',
    summary: 'lists the ids of the records whose password has not changed since the account was removed',
    async run({ args: [email = ''], openAdmin }) {
      const admin = await openAdmin()
      return withStorage(admin.openAccounts(), async ({ history }) => {
        const people = await history.listPeople()
        const found = findByEmail(people, email)
        const described = await Promise.all(found.map((person) => describeLeaver(people, person, history)))
        const accounts = described.map(({ json }) => json)
        const { ids, canSignIn } = accounts.reduce((a, b) => (b.ids.length > a.ids.length ? b : a))
        return {
          json: { email, ids, canSignIn, accounts },
          text: described.map(({ text }) => text).join('\n\n'),
        }
      })
    },
  },
]

function readSince({ since: text = '' }: Options): number {
  // Without a year it would be 2001.
  const since = Date.parse(/^\d{4}-\d\d-\d\d.*/.exec(text)?.[0] ?? '')
  if (Number.isNaN(since)) throw new UsageError('--since is a time, for example 2026-11-22T14:00.')
  return since
}

function readGroup({ kind }: Options): ActivityGroup | undefined {
  const group = groupNames.find((each) => each === kind)
  if (kind !== undefined && !group) throw new UsageError(`--kind is one of ${groupNames.join(', ')}.`)
  return group
}

/** Returns the existing records that an account has added. `unnamed`: how many more, of batches whose records were not logged. */
export async function findAdded(
  history: Pick<HistoryStorage, 'loadActivity' | 'findIds' | 'loadDetails' | 'listPeople'>,
  email: string,
  since: number,
) {
  const emails = findByEmail(await history.listPeople(), email).map((person) => person.email)
  const added: string[][] = []
  let unnamed = 0
  for await (const page of history.loadActivity()) {
    for (const { kind, by, at, record, records, count } of page) {
      if (at < since || by === null || !emails.includes(by)) continue
      if (kind === 'add' && record !== null) added.push([record])
      if (kind !== 'batch-add') continue
      if (records === null) unnamed += count ?? 0
      else added.push(await history.findIds(parseRanges(records)))
    }
  }
  const ids: string[][] = []
  for await (const page of history.loadDetails(added.flat())) ids.push(page.map(({ id }) => id))
  return { ids: ids.flat(), unnamed }
}

/** All who have or had an account with this email. Throws an `OperatorError` if there is none. */
function findByEmail(people: Person[], email: string): Person[] {
  const found = people.filter((person) => toEmailKey(person.email) === toEmailKey(email))
  if (found.length === 0) throw new OperatorError(`There was no account ${email}.`)
  return found
}

async function describeLeaver(
  people: Person[],
  { uid, email, createdAt, removedAt }: Person,
  history: Pick<HistoryStorage, 'findExposed'>,
) {
  const { ids = [], canSignIn = false } = (await history.findExposed(uid)) ?? {}
  const removed = removedAt === null ? undefined : toTimestamp(removedAt)
  const since = removed
    ? `Records whose password has not changed since ${email} was removed (${removed})`
    : `${email} can still sign in and read every record`
  const present = findInvited(people, uid)
  return {
    json: {
      createdAt,
      ...(removed ? { removedAt: removed } : {}),
      ids,
      canSignIn,
      invited: present.map(toJson),
    },
    text: [`${since}: ${ids.length}.`, ...ids, ...describeInvited(present)].join('\n'),
  }
}

/** Returns the present accounts that somebody has invited, also through others. */
export function findInvited(people: Person[], uid: string): Person[] {
  const invited = people.filter(({ invitedBy }) => invitedBy === uid)
  const all = invited.flatMap((person) => [person, ...findInvited(people, person.uid)])
  return all.filter(({ removedAt }) => removedAt === null)
}

/** Returns one line for each account and a title, or nothing if there is none. */
export function describeInvited(present: Person[]): string[] {
  if (present.length === 0) return []
  const lines = present.map(({ email, invitedFor }) =>
    invitedFor === null ? `  ${email}, with a link for any email` : `  ${email}`,
  )
  return ['Accounts that exist because of its invitations:', ...lines]
}

export const toJson = ({ email, createdAt, invitedFor }: Person) => {
  return { email, createdAt, anyEmail: invitedFor === null }
}

async function* readActivity(
  admin: StorageAdmin,
  filter: Pick<ActivityFilter, 'since' | 'group'>,
  { by, records: isWithRecords }: Options,
): AsyncGenerator<string> {
  const { history, close } = await admin.openAccounts()
  try {
    const people = await history.listPeople()
    const lookAlikes = findLookAlikes(
      people.map(({ email }) => email),
      domainToUnicode,
    )
    const uids = by === 'operator' ? [null] : by && findByEmail(people, by).map(({ uid }) => uid)
    for await (const page of history.loadActivity({ ...filter, ...(uids && { by: uids }) }))
      for (const { records, ...entry } of page) {
        const ids = isWithRecords && records !== null ? await history.findIds(parseRanges(records)) : null
        const [looksLike, accountLooksLike] = [entry.by, entry.account].map(
          (email) => lookAlikes.get(email ?? '') ?? null,
        )
        yield JSON.stringify(toLine({ ...entry, records: ids, looksLike, accountLooksLike }))
      }
  } finally {
    await close()
  }
}

/** `looksLike`: another account's email, like which that of `by` looks; `accountLooksLike`: that of `account`. */
type Line = Omit<LoggedActivity, 'records'> &
  Record<'looksLike' | 'accountLooksLike', string | null | undefined> & { records: string[] | null }

/** What nobody of the team did. */
const byNobody: Partial<Record<ActivityKind, string>> = {
  'open-hand-over': 'link',
  'expire-hand-over': 'server',
  'doubt-clock': 'server',
  'refuse-sign-in': 'unknown',
}

function toLine({ at, by, ...rest }: Line) {
  const nobody = byNobody[rest.kind] ?? 'operator'
  const known = Object.entries(rest).filter(([, value]) => value !== null)
  return { time: toTimestamp(at), by: by ?? nobody, ...Object.fromEntries(known) }
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
