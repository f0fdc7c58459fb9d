import { domainToUnicode } from 'node:url'
import {
  createdInvitationSchema,
  invitationInfoSchema,
  newInvitationSchema,
  passwordResetSchema,
  type SignUpPolicy,
  tokenBodySchema,
  uidSchema,
} from '../../../contract/accounts.ts'
import { findLookAlikes } from '../../../contract/emails/look-alikes.ts'
import {
  createdSheetSchema,
  handoverInfoSchema,
  newHandoverSchema,
  newSheetSchema,
  sheetInfoSchema,
  takenHandoverSchema,
} from '../../../contract/handovers.ts'
import { arrayOf, objectOf, textSchema, timestampSchema } from '../../../contract/json-schema.ts'
import { idempotencyKeyHeader, paths } from '../../../contract/protocol.ts'
import { AppError } from '../../app-error.ts'
import { createBodyQueue } from '../../http/body-queue.ts'
import { toResponse } from '../../http/json-body.ts'
import { requestLimits } from '../../http/limits.ts'
import type { Api } from '../../http/validation.ts'
import { keySchema } from '../../records/routes.ts'
import { requireStrongPassword, type SignInDependencies } from '../accounts.ts'
import type { Sessions } from '../sessions.ts'
import { invalidResetError, type Links, type OpenLinks } from './links.ts'

export interface LinkRouteOptions extends SignInDependencies {
  links: Links
  sessions: Sessions
  signUp: SignUpPolicy
}

const noInvitationsError = new AppError('sign-up-closed', {
  message: 'This register takes no invitations. Ask the person who runs it.',
})

const checkSchema = {
  summary: 'Whether an invitation is valid',
  body: tokenBodySchema,
  response: { 200: objectOf({}, { email: textSchema }) },
}
const checkResetSchema = {
  summary: 'Whose password a link resets',
  body: tokenBodySchema,
  response: { 200: objectOf({ email: textSchema }) },
}
const resetSchema = { summary: 'Reset a password', body: passwordResetSchema }
const takeSchema = {
  summary: 'Open a link to a credential, once',
  headers: keySchema,
  body: tokenBodySchema,
  response: { 200: takenHandoverSchema },
}

/**
 * What whoever has a link may do. Tokens are in bodies only: addresses end up in logs. And only `POST` opens a link: whatever loads
 * or previews its address does not.
 */
export function openedLinkRoutes(app: Api, options: LinkRouteOptions): void {
  const { accounts, hasher, links, sessions, throttle } = options

  app.post(paths.invitationCheck, { schema: checkSchema }, async ({ ip, body }) => {
    throttle.trySignUp(ip)
    const { email } = await links.findInvitation(body.token)
    return toResponse({ email })
  })

  app.post(paths.passwordResetCheck, { schema: checkResetSchema }, async ({ ip, body }) => {
    throttle.trySignUp(ip)
    const { account } = await links.findReset(body.token)
    return { email: account.email }
  })

  app.post(paths.passwordReset, { schema: resetSchema }, async ({ ip, body, log }, reply) => {
    throttle.trySignUp(ip)
    const { account, resetLink } = await links.findReset(body.token)
    const { uid, email } = account
    await requireStrongPassword(hasher, email, body.newPassword, 'newPassword')
    const passwordHash = await hasher.hash(body.newPassword)
    const ended = await accounts.replacePassword({ uid, passwordHash, resetLink })
    if (!ended) throw invalidResetError
    log.info({ uid }, 'password reset')
    sessions.handleEnded(ended)
    return reply.code(204).send()
  })

  app.post(paths.handoverTake, { schema: takeSchema }, async ({ ip, body, headers, log }) => {
    const key = headers[idempotencyKeyHeader]
    const taken = await throttle.tryFrom(ip, ['invalid-link'], () => links.takeHandover(body.token, key))
    log.info('hand-over opened')
    const emails = (await accounts.list()).map(({ email }) => email)
    return findLookAlikes(emails, domainToUnicode).has(taken.by) ? { ...taken, isLookAlike: true } : taken
  })
}

const inviteSchema = {
  summary: 'Invite a colleague',
  body: newInvitationSchema,
  response: { 201: createdInvitationSchema },
}
const handOverSchema = {
  summary: 'Make a link to a credential',
  body: newHandoverSchema,
  response: { 201: objectOf({ id: textSchema, token: textSchema, expiresAt: timestampSchema }) },
}
const createSheetSchema = {
  summary: 'Make links to several credentials',
  body: newSheetSchema,
  response: { 201: createdSheetSchema },
}
const maxSheetBytes = 4 * 2 ** 20

/** What everyone signed in may do with links. `app` must require a session. */
export function madeLinkRoutes(app: Api, { links, signUp }: LinkRouteOptions): void {
  app.post(paths.invitations, { schema: inviteSchema }, async ({ body, session, log }, reply) => {
    if (signUp !== 'invited') throw noInvitationsError
    const { uid } = session.account
    const invitation = await links.invite(uid, body.email)
    log.info({ uid }, 'invitation created')
    return reply.code(201).send(invitation)
  })

  // As an update, it has all fields twice.
  const handOverOptions = { schema: handOverSchema, bodyLimit: 2 * requestLimits.bodyLimit }
  app.post(paths.handovers, handOverOptions, async ({ body, session, log }, reply) => {
    const { uid } = session.account
    const handover = await links.handOver(uid, body)
    log.info({ uid }, 'hand-over created')
    return reply.code(201).send(handover)
  })

  const queue = createBodyQueue({
    maxConcurrent: 1,
    maxBytes: 4 * maxSheetBytes,
    maxBytesPerOwner: maxSheetBytes,
    getOwner: ({ session }) => session.account.uid,
  })
  const sheetOptions = { ...queue, schema: createSheetSchema, bodyLimit: maxSheetBytes }
  app.post(paths.sheets, sheetOptions, async ({ body, session, log }, reply) => {
    const { uid } = session.account
    const sheet = await links.createSheet(uid, body.handovers)
    log.info({ uid }, 'sheet created')
    return reply.code(201).send(sheet)
  })

  listRoutes(app, 'invitation', paths.invitations, invitationInfoSchema, links.invitations)
  listRoutes(app, 'hand-over', paths.handovers, handoverInfoSchema, links.handovers)
  listRoutes(app, 'sheet', paths.sheets, sheetInfoSchema, links.sheets)
}

/** Anyone signed in lists and revokes what all have made. The path ends with the name of the list. */
function listRoutes(app: Api, name: string, path: string, info: object, { list, revoke }: OpenLinks<object>) {
  const key = path.slice(path.lastIndexOf('/') + 1)
  const listSchema = { summary: `List ${name}s`, response: { 200: objectOf({ [key]: arrayOf(info) }) } }
  app.get(path, { schema: listSchema }, async () => ({ [key]: await list() }))

  const revokeSchema = { summary: `Revoke this ${name}`, params: objectOf({ id: uidSchema }) }
  app.delete(`${path}/:id`, { schema: revokeSchema }, async ({ params, session, log }, reply) => {
    const { uid } = session.account
    const isFound = await revoke(params.id, uid)
    if (!isFound) throw new AppError('not-found', { message: `There is no such ${name}.` })
    log.info({ uid }, `${name} revoked`)
    return reply.code(204).send()
  })
}
