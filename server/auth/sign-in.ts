import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignedIn } from '../../contract/accounts.ts'
import { AppError } from '../app-error.ts'
import { toResponse } from '../http/json-body.ts'
import { type Account, type AccountStorage, makersKeptMs } from '../storage/storage.ts'
import { toUser } from './accounts.ts'
import { readSessionToken, setCookie } from './require-session.ts'
import { type Sessions, sessionLimits } from './sessions.ts'

export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  setCookie(request, reply, 'session', token, sessionLimits.absoluteTtlMs / 1000)
}

interface CheckedSignIn {
  account: Account | undefined
  /** What was sent is right, but the account was removed. */
  isRemoved: boolean
  token: string | undefined
}

/** Logs and answers a sign-in. Throws `account-removed` or `invalid-credentials`. */
export async function answerSignIn(
  { accounts, sessions }: { accounts: Pick<AccountStorage, 'listResetLinkMakers'>; sessions: Sessions },
  request: FastifyRequest,
  reply: FastifyReply,
  { account, isRemoved, token }: CheckedSignIn,
): Promise<SignedIn> {
  const { ip, log } = request
  if (isRemoved) {
    log.info({ ip, uid: account?.uid }, 'sign-in to a removed account')
    throw new AppError('account-removed')
  }
  if (!account || !token) {
    log.info({ ip, uid: account?.uid }, 'sign-in refused')
    throw new AppError('invalid-credentials')
  }
  await sessions.endToken(readSessionToken(request))
  setSessionCookie(request, reply, token)
  log.info({ uid: account.uid }, 'signed in')
  const makers = await accounts.listResetLinkMakers(account.uid, Date.now() - makersKeptMs)
  const [resetLink, ...others] = makers.map(toResponse)
  return { ...toUser(account), ...(resetLink && { resetLink, resetLinks: [resetLink, ...others] }) }
}
