import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignedIn } from '../../contract/accounts.ts'
import { AppError } from '../app-error.ts'
import { toResponse } from '../http/json-body.ts'
import { type Account, type AccountStorage, type HistoryStorage, makersKeptMs } from '../storage/storage.ts'
import { toUser } from './accounts.ts'
import { readSessionToken, setCookie } from './require-session.ts'
import type { Sessions } from './sessions.ts'

export function setSessionCookie(
  sessions: Sessions,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): void {
  setCookie(request, reply, 'session', token, sessions.ttlMs / 1000)
}

interface CheckedSignIn {
  account: Account | undefined
  /** What was sent is right, but the account was removed. */
  isRemoved: boolean
  token: string | undefined
}

interface AnswerOptions {
  accounts: Pick<AccountStorage, 'listResetLinkMakers'>
  history: Pick<HistoryStorage, 'logRefusal'>
  sessions: Sessions
}

/** Counts a refused sign-in to an account. The response does not wait: its time would tell whether there is the account. */
export function logRefusal(
  { history }: Pick<AnswerOptions, 'history'>,
  { log }: FastifyRequest,
  uid: string | undefined,
): void {
  if (uid === undefined) return
  history
    .logRefusal(uid, Date.now())
    .catch((error) => log.error({ err: error }, 'refused sign-in not logged'))
}

/** Logs and answers a sign-in. Throws `account-removed` or `invalid-credentials`. */
export async function answerSignIn(
  options: AnswerOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  { account, isRemoved, token }: CheckedSignIn,
): Promise<SignedIn> {
  const { accounts, sessions } = options
  const { ip, log } = request
  if (isRemoved || !token) logRefusal(options, request, account?.uid)
  if (isRemoved) {
    log.info({ ip, uid: account?.uid }, 'sign-in to a removed account')
    throw new AppError('account-removed')
  }
  if (!account || !token) {
    log.info({ ip, uid: account?.uid }, 'sign-in refused')
    throw new AppError('invalid-credentials')
  }
  await sessions.endToken(readSessionToken(request))
  setSessionCookie(sessions, request, reply, token)
  log.info({ uid: account.uid }, 'signed in')
  const makers = await accounts.listResetLinkMakers(account.uid, Date.now() - makersKeptMs)
  const [resetLink, ...others] = makers.map(toResponse)
  return { ...toUser(account), ...(resetLink && { resetLink, resetLinks: [resetLink, ...others] }) }
}
