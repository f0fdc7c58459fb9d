import type { FastifyInstance } from 'fastify'
import { newInvitationSchema, passwordResetSchema, tokenBodySchema } from '../../../contract/accounts.ts'
import { paths } from '../../../contract/protocol.ts'
import { AppError } from '../../app-error.ts'
import type { JsonSchemaTypes } from '../../http/validation.ts'
import { resetPassword } from '../accounts.ts'
import type { AuthRouteOptions } from '../routes.ts'

const invitationPath = `${paths.invitations}/:id`
const invitationNotFoundError = new AppError('not-found', { message: 'There is no such invitation.' })
const noInvitationsError = new AppError('sign-up-closed', {
  message: 'This register takes no invitations. Ask the person who runs it.',
})

/** Tokens are in bodies only: addresses end up in logs. */
export function invitationRoutes(app: FastifyInstance, options: AuthRouteOptions): void {
  const { links, throttle, requireSession, signUp } = options
  const routes = app.withTypeProvider<JsonSchemaTypes>()
  const onRequest = requireSession

  const inviteOptions = { schema: { body: newInvitationSchema }, onRequest }
  routes.post(paths.invitations, inviteOptions, async (request, reply) => {
    if (signUp !== 'invited') throw noInvitationsError
    const { uid } = request.session.account
    const invitation = await links.invite(uid, request.body.email)
    request.log.info({ uid }, 'invitation created')
    return reply.code(201).send(invitation)
  })

  app.get(paths.invitations, { onRequest }, async () => ({ invitations: await links.listInvitations() }))

  app.delete<{ Params: { id: string } }>(invitationPath, { onRequest }, async (request, reply) => {
    const { uid } = request.session.account
    if (!(await links.revokeInvitation(request.params.id, uid))) throw invitationNotFoundError
    request.log.info({ uid }, 'invitation revoked')
    return reply.code(204).send()
  })

  routes.post(paths.invitationCheck, { schema: { body: tokenBodySchema } }, async (request) => {
    throttle.trySignUp(request.ip)
    const { email } = await links.findInvitation(request.body.token)
    return email === null ? {} : { email }
  })
}

/** Sets a new password by a link of the operator. */
export function passwordResetRoutes(app: FastifyInstance, options: AuthRouteOptions): void {
  const { links, sessions, throttle } = options
  const routes = app.withTypeProvider<JsonSchemaTypes>()

  routes.post(paths.passwordResetCheck, { schema: { body: tokenBodySchema } }, async (request) => {
    throttle.trySignUp(request.ip)
    const { account } = await links.findReset(request.body.token)
    return { email: account.email }
  })

  routes.post(paths.passwordReset, { schema: { body: passwordResetSchema } }, async (request, reply) => {
    throttle.trySignUp(request.ip)
    const { uid, ended } = await resetPassword(options, request.body)
    request.log.info({ uid }, 'password reset')
    sessions.handleEnded(ended)
    return reply.code(204).send()
  })
}
