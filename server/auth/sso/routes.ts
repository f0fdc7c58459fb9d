import type { FastifyRequest } from 'fastify'
import { type SignUpPolicy, signedInSchema } from '../../../contract/accounts.ts'
import { ssoOptionsSchema, ssoPaths, ssoSignInSchema, ssoTtlMs } from '../../../contract/identity/sso.ts'
import { AppError } from '../../app-error.ts'
import type { Api } from '../../http/validation.ts'
import type { HistoryStorage, SsoOutcome } from '../../storage/storage.ts'
import type { SignInDependencies } from '../accounts.ts'
import { hasPassword } from '../password-hash.ts'
import { setCookie } from '../require-session.ts'
import { createToken, hashToken, type Sessions } from '../sessions.ts'
import { answerSignIn, logRefusal } from '../sign-in.ts'
import { needInvitationError, otherEmailError } from '../sign-up.ts'
import {
  ask,
  chooseAfter,
  countedErrors,
  createLimit,
  forgetChoice,
  readBrowser,
  readsChoice,
} from './ask.ts'
import type { Sso } from './sso.ts'

export interface SsoRouteOptions extends SignInDependencies {
  history: Pick<HistoryStorage, 'logRefusal'>
  sso: Sso
  sessions: Sessions
  signUp: SignUpPolicy
}

const optionsSchema = { summary: 'Begin to sign in at the provider', response: { 200: ssoOptionsSchema } }
const signInSchema = {
  summary: 'Sign in with the answer of the provider',
  body: ssoSignInSchema,
  response: { 200: signedInSchema },
}
/** What a stranger may do. */
export function ssoSignInRoutes(app: Api, options: SsoRouteOptions): void {
  const { accounts, sessions, signUp, sso, throttle } = options
  const { settings, identities } = sso
  const limit = createLimit()

  app.post(ssoPaths.sessionOptions, { schema: optionsSchema }, async (request, reply) => {
    const browser = readBrowser(request) ?? createToken().token
    const asking = { chooses: readsChoice(request), onPush: () => throttle.tryPush(request.ip) }
    const url = await limit(() => ask(request, () => sso.begin(browser, asking)))
    setCookie(request, reply, 'sso', browser, ssoTtlMs / 1000)
    return { url }
  })

  app.post(ssoPaths.session, { schema: signInSchema }, async (request, reply) => {
    const { ip, body, headers } = request
    const attempt = async () => {
      const answer = await limit(() =>
        ask(request, () => sso.readAnswer(readBrowser(request) ?? '', body.response)),
      )
      const { issuer, subject, email, isAllowed, lacks } = answer.person
      const known = await identities.findAccount({ issuer, subject })
      if (!isAllowed) {
        const account = known ?? (email && (await accounts.findByEmailKey(email.emailKey)))
        logRefusal(options, request, account?.uid)
        request.log.info({ ip, uid: account?.uid, reason: lacks.join('; ') }, 'single sign-on refused')
        throw new AppError('sso-not-allowed')
      }
      const { token, session } = sessions.issue('', headers['user-agent'])
      const outcome = await sso.signIn(answer, {
        session,
        addressHash: throttle.hashAddress(ip, known?.emailKey ?? email?.emailKey ?? ''),
        admitsAll: settings.admitsAll || signUp === 'open',
        invitation: signUp === 'invited' && body.invitation ? hashToken(body.invitation) : undefined,
      })
      if (outcome.outcome !== 'done') {
        logRefusal(options, request, outcome.uid)
        throw toRefusal(request, outcome, signUp, lacks)
      }
      sessions.handleEnded(outcome.ended)
      await sessions.endSurplus({ ...session, uid: outcome.account.uid })
      return { ...outcome, token }
    }
    const signedIn = await throttle.tryFrom(ip, countedErrors, attempt).catch(chooseAfter(request, reply))
    forgetChoice(request, reply)
    const { account, token, isFirst, replaced } = signedIn
    const tookOver = replaced && (hasPassword(replaced.passwordHash) || replaced.passkeys > 0)
    if (isFirst) request.log.info({ uid: account.uid, tookOver }, 'account connected to single sign-on')
    const response = await answerSignIn(options, request, reply, { account, isRemoved: false, token })
    return tookOver ? { ...response, tookOver: true as const } : response
  })
}

function toRefusal(
  { log, ip }: FastifyRequest,
  { outcome, uid }: Exclude<SsoOutcome, { outcome: 'done' }>,
  signUp: SignUpPolicy,
  lacks: string[],
): AppError {
  const reason = outcome === 'unverified' ? `unverified: ${lacks.join('; ')}` : outcome
  log.info({ ip, uid, reason }, 'single sign-on refused')
  switch (outcome) {
    case 'refused':
      return new AppError('sso-failed')
    case 'unverified':
      return new AppError('sso-unverified')
    case 'other-person':
      return new AppError('sso-other-person')
    case 'removed':
      return new AppError('account-removed')
    case 'other-email':
      return otherEmailError
    case 'invalid-link':
      return new AppError('invalid-link', { field: 'invitation' })
    case 'closed':
      return signUp === 'invited' ? needInvitationError : new AppError('sign-up-closed')
  }
}
