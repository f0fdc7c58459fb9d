import { setTimeout } from 'node:timers/promises'
import { domainToUnicode } from 'node:url'
import { letInDays, toEmailKey } from '../../contract/accounts.ts'
import { findLookAlikes } from '../../contract/emails/look-alikes.ts'
import { OperatorError } from '../app-error.ts'
import { lastAnswerMs, requireStrongPassword, toUser } from '../auth/accounts.ts'
import { createLinks } from '../auth/links/links.ts'
import { toInfo } from '../auth/passkeys/passkeys.ts'
import { createPasswordHasher, createUnusableHash, hasPassword } from '../auth/password-hash.ts'
import { createPasswordPool } from '../auth/password-pool.ts'
import { createAccount } from '../auth/sign-up.ts'
import { readPageUrl } from '../config.ts'
import { type Account, toPublicId } from '../storage/storage.ts'
import type { StorageAdmin } from '../storage/storage-admin.ts'
import { type Command, type CommandContext, promptSecret, withStorage } from './command.ts'
import { describeInvited, findInvited, toJson } from './history.ts'

export const accountCommands: Command[] = [
  {
    usage: 'account add <email>',
    summary: 'creates an account, even if sign-up is closed; prompts for its password',
    run(context) {
      const [email = ''] = context.args
      const add = async (services: AccountServices) => {
        const password = await promptSecret(`Password for ${email}: `, context.terminal)
        const user = await createAccount(services, 'open', { email, password }, { byOperator: true })
        return { json: user, text: `${user.email} can sign in now.` }
      }
      return withAccounts(context, add, { createIfMissing: true })
    },
  },
  {
    usage: 'account invite [<email>] [--url <address>]',
    summary:
      'prints a link that creates one account within 7 days, only for the email if given, where SIGN_UP=invited',
    run: (context) => {
      const [email] = context.args
      const url = readPageUrl(context.terminal.env, context.options.url)
      const invite = async ({ links }: AccountServices) => {
        const { token, ...invitation } = await links.invite(null, email)
        const link = `${url}/#invite=${token}`
        return { json: { link, ...invitation }, text: link }
      }
      return withAccounts(context, invite, { createIfMissing: true })
    },
  },
  {
    usage: 'account list',
    summary: 'lists the accounts, oldest first',
    run: (context) =>
      withAccounts(context, async ({ accounts, identities, sessions }) => {
        const found = await accounts.list()
        const connected = new Set(await identities.listConnected())
        const lookAlikes = findLookAlikes(
          found.map(({ email }) => email),
          domainToUnicode,
        )
        const all = await Promise.all(
          found.map(async (account) => ({
            ...toUser(account),
            looksLike: lookAlikes.get(account.email),
            hasPassword: hasPassword(account.passwordHash),
            ...(connected.has(account.uid) && { sso: true }),
            sessions: (await sessions.listByAccount(account.uid)).length,
          })),
        )
        const lines = all.map(({ email, createdAt, sessions, hasPassword, looksLike, sso }) => {
          const notes = [
            ...(hasPassword ? [] : [sso ? 'no password' : 'no password yet']),
            ...(sso ? ['single sign-on'] : []),
            ...(looksLike ? [`looks like ${looksLike}`] : []),
          ]
          return [
            `${createdAt}  sessions: ${sessions}  ${email}`,
            ...notes.map((note) => `  (${note})`),
          ].join('')
        })
        return { json: all, text: lines.join('\n') || 'There are no accounts.' }
      }),
  },
  {
    usage: 'account reset-password <email>',
    summary: 'prompts for a new password and ends all sessions of the account',
    run: (context) =>
      withAccount(context, async (account, { accounts, hasher }) => {
        const password = await promptSecret(`New password for ${account.email}: `, context.terminal)
        await requireStrongPassword(hasher, account.email, password)
        const passwordHash = await hasher.hash(password)
        const ended = await accounts.replacePassword({ uid: account.uid, passwordHash })
        if (!ended) throw new OperatorError(`There is no account ${account.email}.`)
        const json = { email: account.email, endedSessions: ended.length }
        return { json, text: `${account.email} has a new password. Sessions ended: ${ended.length}.` }
      }),
  },
  {
    usage: 'account reset-link <email> [--url <address>]',
    summary:
      'prints a link that sets a new password within an hour and then ends all sessions of the account',
    run: (context) => {
      const url = readPageUrl(context.terminal.env, context.options.url)
      return withAccount(context, async ({ uid, email }, { links }) => {
        const { token, expiresAt } = await links.createReset(uid)
        const link = `${url}/signin#reset=${token}`
        return { json: { link, email, expiresAt }, text: link }
      })
    },
  },
  {
    usage: 'account revoke-sessions <email>',
    summary: 'ends all sessions of an account; a running server notices within two seconds',
    run: (context) =>
      withAccount(context, async (account, { sessions, history }) => {
        const ended = await sessions.endAll(account.uid)
        await history.log({ kind: 'revoke-sessions', account: account.uid })
        const json = { email: account.email, endedSessions: ended.length }
        return { json, text: `Sessions of ${account.email} ended: ${ended.length}.` }
      }),
  },
  {
    usage: 'account passkeys <email> [<id>] [--remove]',
    summary: 'lists the passkeys of an account, or the one with this id; --remove removes what is listed',
    run: (context) =>
      withAccount(context, async ({ uid, email }, { passkeys }) => {
        const [, wanted] = context.args
        const { remove: removed = false } = context.options
        const all = await passkeys.list(uid)
        const found = all.filter(({ id }) => wanted === undefined || toPublicId(id) === wanted)
        if (wanted && found.length === 0) throw new OperatorError(`${email} has no passkey ${wanted}.`)
        if (removed) for (const { id } of found) await passkeys.remove(id, uid)
        const listed = found.map(toInfo)
        const lines = listed.map(({ id, createdAt, name }) => `${id}  ${createdAt}  ${name}`)
        const title = `Passkeys of ${email}${removed ? ' removed' : ''}: ${listed.length}.`
        return { json: { email, passkeys: listed, removed }, text: [title, ...lines].join('\n') }
      }),
  },
  {
    usage: 'account disconnect <email>',
    summary:
      'forgets who signs in to an account by single sign-on, and ends its sessions and passkeys; the next to sign in there with its email is connected. Of a removed account: they may get one with another email',
    run: (context) =>
      withAccounts(context, async (services) => {
        const [email = ''] = context.args
        const people = await findPeople(services, email)
        // One that was removed stays connected while the email's present account is, so that nobody comes back by mistake.
        for (const { uid, email } of people) {
          const ended = await services.identities.disconnect(uid)
          if (!ended) continue
          const json = { email, endedSessions: ended.length }
          return { json, text: `${email} was disconnected. Sessions ended: ${ended.length}.` }
        }
        throw new OperatorError(
          people.length === 0
            ? `There is no account ${email}, and was none.`
            : `Nobody signs in to ${people[0]?.email} by single sign-on.`,
        )
      }),
  },
  {
    usage: 'account let-in <email>',
    summary: `adds an account again, with its password, that a colleague has removed in the last ${letInDays} days`,
    run: (context) =>
      withAccount(context, async ({ uid, email }, { accounts }) => {
        if ((await accounts.letIn(uid)) !== 'done') throw new OperatorError(`${email} has an account.`)
        return { json: { email }, text: `${email} can sign in again.` }
      }),
  },
  {
    usage: 'account remove <email>',
    summary: 'removes an account for good and ends its sessions, but removes no records',
    run: (context) =>
      withAccount(context, async ({ uid, email }, { accounts, history }) => {
        await accounts.replacePassword({ uid, passwordHash: createUnusableHash(), isLogged: false })
        await setTimeout(lastAnswerMs)
        await accounts.remove(uid)
        const invited = findInvited(await history.listPeople(), uid)
        const text = [`${email} was removed.`, ...describeInvited(invited)].join('\n')
        return { json: { email, invited: invited.map(toJson) }, text }
      }),
  },
]

type OpenOptions = Parameters<StorageAdmin['openAccounts']>[0]
type AccountServices = Awaited<ReturnType<typeof openAccountServices>>

async function openAccountServices(admin: StorageAdmin, options?: OpenOptions) {
  const opened = await admin.openAccounts(options)
  const pool = createPasswordPool({ maxConcurrent: 1 })
  const links = createLinks(opened.links, opened.accounts)
  const close = async () => {
    await opened.close()
    await pool.close()
  }
  return { ...opened, links, hasher: createPasswordHasher(pool), close }
}

async function withAccounts<T>(
  { openAdmin }: CommandContext,
  work: (services: AccountServices) => Promise<T>,
  options?: OpenOptions,
): Promise<T> {
  return withStorage(openAccountServices(await openAdmin(), options), work)
}

/** Who has an account with this email, and who had one, the latest first. */
async function findPeople({ history }: AccountServices, email: string) {
  const emailKey = toEmailKey(email)
  const found = (await history.listPeople()).filter((person) => toEmailKey(person.email) === emailKey)
  const time = ({ removedAt }: (typeof found)[number]) => removedAt ?? Number.POSITIVE_INFINITY
  return found.sort((a, b) => time(b) - time(a))
}

function withAccount<T>(
  context: CommandContext,
  work: (account: Account, services: AccountServices) => Promise<T>,
): Promise<T> {
  const [email = ''] = context.args
  return withAccounts(context, async (services) => {
    const { accounts } = services
    const emailKey = toEmailKey(email)
    const account = (await accounts.findByEmailKey(emailKey)) ?? (await accounts.findRemoved(emailKey))
    if (!account) throw new OperatorError(`There is no account ${email}.`)
    return work(account, services)
  })
}
