import { createAccount, requireGoodPassword, userOf } from '../auth/accounts.ts'
import { emailKeyOf } from '../auth/email.ts'
import { createPasswordHasher, hasPassword } from '../auth/password-hash.ts'
import { createPasswordPool } from '../auth/password-pool.ts'
import type { Account } from '../storage/storage.ts'
import type { RegisterTools } from '../storage/storage-admin.ts'
import { type Command, type Context, OperatorError, requireArgs } from './command.ts'
import { askSecret } from './prompt.ts'

export const accountCommands: Record<string, Command> = {
  'account add': {
    usage: 'account add <email>',
    summary: 'makes an account, also where sign-up is closed; asks for its password',
    run: async (context) => {
      const [email = ''] = requireArgs(context, 1)
      const add = async (parts: Parts) => {
        const password = await askSecret(`Password for ${email}: `)
        const user = await createAccount(parts, { mode: 'open' }, { email, password })
        return { json: user, text: `${user.email} can sign in now.` }
      }
      return withAccounts(context, add, { makes: true })
    },
  },
  'account list': {
    usage: 'account list',
    summary: 'lists the accounts, the oldest first',
    run: (context) =>
      withAccounts(context, async ({ accounts, sessions }) => {
        requireArgs(context, 0)
        const all = await Promise.all(
          (await accounts.list()).map(async (account) => ({
            ...userOf(account),
            hasPassword: hasPassword(account.passwordHash),
            sessions: (await sessions.listOf(account.uid)).length,
          })),
        )
        const lines = all.map(
          ({ email, createdAt, sessions, hasPassword }) =>
            `${createdAt}  sessions: ${sessions}  ${email}${hasPassword ? '' : '  (no password yet)'}`,
        )
        return { json: all, text: lines.join('\n') || 'There are no accounts.' }
      }),
  },
  'account reset-password': {
    usage: 'account reset-password <email>',
    summary: 'asks for a new password, and ends all sessions of the account',
    run: (context) =>
      withAccount(context, async (account, { accounts, sessions, hasher, pool }) => {
        const password = await askSecret(`New password for ${account.email}: `)
        await requireGoodPassword(pool, account.email, password)
        await accounts.setPasswordHash(account.uid, await hasher.hash(password))
        const ended = await sessions.endAll(account.uid)
        const json = { email: account.email, endedSessions: ended.length }
        return { json, text: `${account.email} has a new password. Sessions ended: ${ended.length}.` }
      }),
  },
  'account revoke-sessions': {
    usage: 'account revoke-sessions <email>',
    summary: 'ends all sessions of an account, within a second or two also in a running server',
    run: (context) =>
      withAccount(context, async (account, { sessions }) => {
        const ended = await sessions.endAll(account.uid)
        const json = { email: account.email, endedSessions: ended.length }
        return { json, text: `Sessions of ${account.email} ended: ${ended.length}.` }
      }),
  },
  'account remove': {
    usage: 'account remove <email>',
    summary: 'removes an account and ends its sessions; the records stay',
    run: (context) =>
      withAccount(context, async (account, { accounts }) => {
        await accounts.remove(account.uid)
        return { json: { email: account.email }, text: `${account.email} was removed.` }
      }),
  },
}

type OpenOptions = Parameters<RegisterTools['openAccounts']>[0]
type Parts = Awaited<ReturnType<typeof openParts>>

async function openParts(register: RegisterTools, options?: OpenOptions) {
  const opened = await register.openAccounts(options)
  const pool = createPasswordPool({ atOnce: 1 })
  return { ...opened, pool, hasher: createPasswordHasher(pool) }
}

async function withAccounts<T>(
  { register }: Context,
  work: (parts: Parts) => Promise<T>,
  options?: OpenOptions,
): Promise<T> {
  const parts = await openParts(await register(), options)
  try {
    return await work(parts)
  } finally {
    await parts.close()
    await parts.pool.close()
  }
}

function withAccount<T>(context: Context, work: (account: Account, parts: Parts) => Promise<T>): Promise<T> {
  const [email = ''] = requireArgs(context, 1)
  return withAccounts(context, async (parts) => {
    const account = await parts.accounts.findByEmailKey(emailKeyOf(email))
    if (!account) throw new OperatorError(`There is no account ${email}.`)
    return work(account, parts)
  })
}
