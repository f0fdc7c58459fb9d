import {
  createdInvitationSchema,
  invitationInfoSchema,
  newInvitationSchema,
  passwordResetSchema,
  tokenBodySchema,
} from '../../../contract/accounts.ts'
import { arrayOf, objectOf, textSchema } from '../../../contract/json-schema.ts'
import { paths } from '../../../contract/protocol.ts'
import { AppError } from '../../app-error.ts'
import { withoutNulls } from '../../http/json-body.ts'
import { noContent } from '../../http/openapi.ts'
import type { Api } from '../../http/validation.ts'
import { type AuthRouteOptions, resetPassword } from '../accounts.ts'
import { handleRevocation, revocation } from './handovers.ts'

const noInvitationsError = new AppError('sign-up-closed', {
  message: 'This register takes no invitations. Ask the person who runs it.',
})

const inviteSchema = {
  summary: 'Invite a colleague',
  body: newInvitationSchema,
  response: { 201: createdInvitationSchema },
}
const listSchema = {
  summary: 'List invitations',
  response: { 200: objectOf({ invitations: arrayOf(invitationInfoSchema) }) },
}
const revokeSchema = { summary: 'Revoke an invitation', ...revocation }
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
const resetSchema = {
  summary: 'Reset a password',
  body: passwordResetSchema,
  response: { 204: noContent },
}

/** Tokens are in bodies only: addresses end up in logs. */
export function invitationRoutes(app: Api, options: AuthRouteOptions): void {
  const { links, throttle, signUp, requireSession: onRequest } = options

  app.post(paths.invitations, { schema: inviteSchema, onRequest }, async (request, reply) => {
    if (signUp !== 'invited') throw noInvitationsError
    const { uid } = request.session.account
    const invitation = await links.invite(uid, request.body.email)
    request.log.info({ uid }, 'invitation created')
    return reply.code(201).send(invitation)
  })

  app.get(paths.invitations, { schema: listSchema, onRequest }, async () => ({
    invitations: await links.listInvitations(),
  }))

  const revoke = handleRevocation('invitation', links.revokeInvitation)
  app.delete(`${paths.invitations}/:id`, { schema: revokeSchema, onRequest }, revoke)

  app.post(paths.invitationCheck, { schema: checkSchema }, async (request) => {
    throttle.trySignUp(request.ip)
    const { email } = await links.findInvitation(request.body.token)
    return withoutNulls({ email })
  })
}

/** Sets a new password by a reset link. */
export function passwordResetRoutes(app: Api, options: AuthRouteOptions): void {
  const { links, sessions, throttle } = options

  app.post(paths.passwordResetCheck, { schema: checkResetSchema }, async (request) => {
    throttle.trySignUp(request.ip)
    const { account } = await links.findReset(request.body.token)
    return { email: account.email }
  })

  app.post(paths.passwordReset, { schema: resetSchema }, async (request, reply) => {
    throttle.trySignUp(request.ip)
    const { uid, ended } = await resetPassword(options, request.body)
    request.log.info({ uid }, 'password reset')
    sessions.handleEnded(ended)
    return reply.code(204).send()
  })
}
