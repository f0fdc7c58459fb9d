import type { FastifyRequest } from 'fastify'
import { ownPasswordSchema, signedInSchema } from '../../../contract/accounts.ts'
import { objectOf, textSchema } from '../../../contract/json-schema.ts'
import {
  challengeTtlMs,
  newPasskeySchema,
  type PasskeyList,
  passkeyInfoSchema,
  passkeyListSchema,
  passkeyPaths,
  passkeySignInSchema,
} from '../../../contract/passkeys.ts'
import { AppError } from '../../app-error.ts'
import type { Api } from '../../http/validation.ts'
import { type HistoryStorage, toPublicId } from '../../storage/storage.ts'
import { checkThrottled } from '../accounts.ts'
import { type OwnPasswordDependencies, requireOwnPassword } from '../confirmation/own-password.ts'
import { readCookie, setCookie } from '../require-session.ts'
import { createToken, type Sessions } from '../sessions.ts'
import { answerSignIn } from '../sign-in.ts'
import type { Passkeys } from './passkeys.ts'
import { findSite } from './site.ts'

export interface PasskeyRouteOptions extends OwnPasswordDependencies {
  history: Pick<HistoryStorage, 'listPeople' | 'logRefusal'>
  passkeys: Passkeys
  sessions: Sessions
  /** See `AppOptions`. */
  publicUrl: URL | undefined
}

const passkeyNotFoundError = new AppError('not-found', { message: 'This passkey no longer exists.' })

const optionsOf = (method: string) => ({
  type: 'object',
  description: `The options of WebAuthn's ${method}, in their JSON form.`,
})
const listSchema = { summary: 'List the passkeys of this account', response: { 200: passkeyListSchema } }
const optionsSchema = {
  summary: 'Begin to add a passkey',
  body: ownPasswordSchema,
  response: { 200: optionsOf('create') },
}
const addSchema = { summary: 'Add a passkey', body: newPasskeySchema, response: { 201: passkeyInfoSchema } }
const removeSchema = { summary: 'Remove a passkey of this account', params: objectOf({ id: textSchema }) }
const signInOptionsSchema = {
  summary: 'Begin to sign in with a passkey',
  response: { 200: optionsOf('get') },
}
const signInSchema = {
  summary: 'Sign in with a passkey',
  body: passkeySignInSchema,
  response: { 200: signedInSchema },
}

/** Throws `passkeys-unavailable`. */
function requireSite(publicUrl: URL | undefined, request: FastifyRequest) {
  const site = findSite(publicUrl, request)
  if (typeof site === 'string') throw new AppError('passkeys-unavailable')
  return site
}

export function ownPasskeyRoutes(app: Api, options: PasskeyRouteOptions): void {
  const { passkeys, publicUrl } = options

  app.get(passkeyPaths.passkeys, { schema: listSchema }, async (request): Promise<PasskeyList> => {
    const site = findSite(publicUrl, request)
    const list = await passkeys.list(request.session.account.uid)
    return { passkeys: list, ...(typeof site === 'string' ? { unavailable: site } : {}) }
  })

  app.post(passkeyPaths.options, { schema: optionsSchema }, async (request) => {
    const site = requireSite(publicUrl, request)
    await requireOwnPassword(options, request, request.body.password)
    return passkeys.createOptions(request.session, site)
  })

  app.post(passkeyPaths.passkeys, { schema: addSchema }, async (request, reply) => {
    const site = requireSite(publicUrl, request)
    const response = { ...request.body.response, clientExtensionResults: {} }
    const passkey = await passkeys.add(request.session, site, request.body.name, response)
    request.log.info({ uid: request.session.account.uid, passkey: passkey.id }, 'passkey added')
    return reply.code(201).send(passkey)
  })

  app.delete(`${passkeyPaths.passkeys}/:id`, { schema: removeSchema }, async (request, reply) => {
    const { uid } = request.session.account
    const { id } = request.params
    if (!(await passkeys.remove(uid, id))) throw passkeyNotFoundError
    request.log.info({ uid, passkey: id }, 'passkey removed')
    return reply.code(204).send()
  })
}

/** A browser keeps its secret while it asks again, as other tabs do. */
const browserPattern = /^[\w-]{43}$/

export function passkeySignInRoutes(app: Api, options: PasskeyRouteOptions): void {
  const { passkeys, publicUrl, sessions, throttle } = options

  app.post(passkeyPaths.sessionOptions, { schema: signInOptionsSchema }, async (request, reply) => {
    const site = requireSite(publicUrl, request)
    const sent = readCookie(request, 'passkey') ?? ''
    const browser = browserPattern.test(sent) ? sent : createToken().token
    setCookie(request, reply, 'passkey', browser, challengeTtlMs / 1000)
    return passkeys.createSignInOptions(browser, site)
  })

  app.post(passkeyPaths.session, { schema: signInSchema }, async (request, reply) => {
    const site = requireSite(publicUrl, request)
    const response = { ...request.body.response, clientExtensionResults: {} }
    const browser = readCookie(request, 'passkey') ?? ''
    const found = await passkeys.find(response.id)
    const { account, isRemoved = false } = found ?? {}
    const key = account?.emailKey ?? `passkey ${response.id}`
    const { isRight, token } = await checkThrottled(throttle, request.ip, key, async (addressHash) => {
      const use = await passkeys.verify(found, browser, site, response)
      if (!use || !account || isRemoved) return { isRight: use !== undefined, token: undefined }
      const { token, session } = sessions.issue(account.uid, request.headers['user-agent'])
      const outcome = await passkeys.signIn({ ...use, session, addressHash })
      const fields = { uid: account.uid, passkey: toPublicId(use.id) }
      if (outcome === 'counter-went-back') request.log.warn(fields, 'somebody may have copied a passkey')
      if (outcome !== 'done') return { isRight: false, token: undefined }
      await sessions.endSurplus(session)
      return { isRight: true, token }
    })
    return answerSignIn(options, request, reply, { account, isRemoved: isRight && isRemoved, token })
  })
}
