import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../../contract/errors.ts'
import { ssoTtlMs } from '../../../contract/identity/sso.ts'
import { AppError } from '../../app-error.ts'
import { readCookie, setCookie } from '../require-session.ts'
import { type FailureKind, ProviderError } from './provider-error.ts'

/** What counts as a failed sign-in of the address. Without `sso-unavailable`, which is nobody's fault. */
export const countedErrors: ErrorCode[] = [
  'sso-failed',
  'sso-cancelled',
  'sso-unverified',
  'sso-not-allowed',
  'sso-other-person',
  'sso-other-account',
  'sign-up-closed',
  'account-removed',
  'invalid-link',
  'invalid-email',
]

/** How many answers may wait for the provider. Each takes at most some seconds and 1 MB. */
const maxConcurrent = 50

const failureCodes = {
  unavailable: 'sso-unavailable',
  cancelled: 'sso-cancelled',
  invalid: 'sso-failed',
  other: 'sso-other-account',
} as const satisfies Record<FailureKind, ErrorCode>

/** Runs what asks the provider, and logs what is wrong: never the code, a token, an email, or what the provider has sent. */
export async function ask<T>(
  { log, ip }: { log: FastifyBaseLogger; ip: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const { kind, reason } = error
    if (kind === 'unavailable') log.warn({ reason }, 'single sign-on is not available')
    else log.info({ ip, reason }, 'single sign-on refused')
    throw new AppError(failureCodes[kind])
  }
}

/** A browser keeps its secret while it asks again, as other tabs do. */
export function readBrowser(request: FastifyRequest): string | undefined {
  const sent = readCookie(request, 'sso') ?? ''
  return /^[\w-]{43}$/.test(sent) ? sent : undefined
}

/** Who got one of these may be signed in there as the wrong person, and would be again. */
const wrongPersonErrors: ErrorCode[] = [
  'sso-unverified',
  'sso-not-allowed',
  'sso-other-person',
  'sign-up-closed',
  'account-removed',
  'invalid-email',
]

/** Makes the next sign-in of this browser ask whom to sign in as, if the visitor was refused. */
export function chooseAfter(request: FastifyRequest, reply: FastifyReply) {
  return (error: unknown): never => {
    if (error instanceof AppError && wrongPersonErrors.includes(error.code)) chooseNext(request, reply)
    throw error
  }
}

/** Makes the next sign-in of this browser ask whom to sign in as, until somebody has signed in. */
export const chooseNext = (request: FastifyRequest, reply: FastifyReply) =>
  setCookie(request, reply, 'choose', 'yes', ssoTtlMs / 1000)

export const readsChoice = (request: FastifyRequest) => readCookie(request, 'choose') !== undefined

export function forgetChoice(request: FastifyRequest, reply: FastifyReply): void {
  if (readsChoice(request)) setCookie(request, reply, 'choose', '', 0)
}

/** Limits what waits for the provider. Throws `busy`. */
export function createLimit() {
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= maxConcurrent) throw new AppError('busy', { retryAfterSeconds: 1 })
    running++
    return work().finally(() => running--)
  }
}
