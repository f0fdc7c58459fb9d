import type { FastifyRequest } from 'fastify'
import {
  type Confirmation,
  confirmationSchema,
  confirmationTtlMs,
  ssoOptionsSchema,
  ssoPaths,
  ssoResponseSchema,
  ssoTtlMs,
} from '../../../contract/identity/sso.ts'
import { AppError } from '../../app-error.ts'
import type { Api } from '../../http/validation.ts'
import { readCookie, setCookie } from '../require-session.ts'
import { createToken } from '../sessions.ts'
import { ask, countedErrors, createLimit, readBrowser } from '../sso/ask.ts'
import type { Sso } from '../sso/sso.ts'
import { type OwnPasswordDependencies, readOwnAccount } from './own-password.ts'

export interface ConfirmationRouteOptions extends OwnPasswordDependencies {
  sso: Sso
}

const confirmationStateSchema = {
  summary: 'How this account confirms an act',
  response: { 200: confirmationSchema },
}
const confirmationOptionsSchema = {
  summary: 'Begin to confirm an act at the provider',
  response: { 200: ssoOptionsSchema },
}
const confirmSchema = { summary: 'Confirm an act with the answer of the provider', body: ssoResponseSchema }

/** How accounts without a password confirm what others do with theirs. `app` must require a session. */
export function confirmationRoutes(app: Api, options: ConfirmationRouteOptions): void {
  const { sso, throttle } = options
  const limit = createLimit()

  const describe = async (request: FastifyRequest): Promise<Confirmation> => {
    const { isConnected: connected, hasPassword } = await readOwnAccount(options, request)
    const isConfirmed = () => sso.isConfirmed(request.session, readCookie(request, 'confirmed'))
    return {
      by: hasPassword ? 'password' : 'sso',
      connected,
      confirmed: !hasPassword && (await isConfirmed()),
    }
  }

  async function requireWithoutPassword(request: FastifyRequest) {
    const { by } = await describe(request)
    if (by === 'password')
      throw new AppError('invalid-request', { message: 'This account confirms with its password.' })
  }

  app.get(ssoPaths.confirmation, { schema: confirmationStateSchema }, describe)

  app.post(ssoPaths.confirmationOptions, { schema: confirmationOptionsSchema }, async (request, reply) => {
    await requireWithoutPassword(request)
    const browser = readBrowser(request) ?? createToken().token
    const onPush = () => throttle.tryPush(request.ip)
    const url = await limit(() => ask(request, () => sso.beginConfirmation(request.session, browser, onPush)))
    setCookie(request, reply, 'sso', browser, ssoTtlMs / 1000)
    return { url }
  })

  app.post(ssoPaths.confirmation, { schema: confirmSchema }, async (request, reply) => {
    await requireWithoutPassword(request)
    const { ip, body, session, log } = request
    const confirm = () =>
      limit(() => ask(request, () => sso.confirm(session, readBrowser(request) ?? '', body.response)))
    const proof = await throttle.tryFrom(ip, countedErrors, confirm)
    setCookie(request, reply, 'confirmed', proof, confirmationTtlMs / 1000)
    log.info({ uid: session.account.uid }, 'confirmed by single sign-on')
    return reply.code(204).send()
  })
}
