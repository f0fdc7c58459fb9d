import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { tokenBodySchema, toTimestamp } from '../../../contract/accounts.ts'
import {
  type HandoverInfo,
  handoverInfoSchema,
  type NewHandover,
  newHandoverSchema,
  type TakenHandover,
  takenHandoverSchema,
} from '../../../contract/handovers.ts'
import { arrayOf, objectOf, textSchema } from '../../../contract/json-schema.ts'
import { paths } from '../../../contract/protocol.ts'
import { AppError } from '../../app-error.ts'
import { requestLimits } from '../../http/limits.ts'
import { noContent } from '../../http/openapi.ts'
import type { JsonSchemaTypes } from '../../http/validation.ts'
import { type LinkStorage, toPublicId } from '../../storage/storage.ts'
import { createToken, hashToken } from '../sessions.ts'
import type { Throttle } from '../throttle.ts'

export const handoverTtlMs = 7 * 24 * 60 * 60 * 1000

const invalidHandoverError = new AppError('invalid-link', {
  field: 'token',
  message: 'This link was already used, or is no longer valid. Ask whoever sent it for a new one.',
})

const changedError = new AppError('conflict', {
  message: 'Someone has changed this record. Look at it, then make the link again.',
})

/** Links that show one credential once. What they show is encrypted with a key that never reaches the server. */
export function createHandovers({ storage, now }: { storage: LinkStorage; now: () => number }) {
  return {
    /** Creates a link to what the page has sealed. Throws `not-found`, `too-many-handovers`, or `conflict` if the record is no longer as `seen`. */
    async handOver(uid: string, handover: NewHandover) {
      const { token, hash } = createToken()
      const expiresAt = now() + handoverTtlMs
      const outcome = await storage.addHandover({ ...handover, hash, uid, expiresAt }, now())
      if (outcome === 'conflict') throw changedError
      if (outcome !== 'done') throw new AppError(outcome)
      return { id: toPublicId(hash), token, expiresAt: toTimestamp(expiresAt) }
    },

    async listHandovers(): Promise<HandoverInfo[]> {
      const handovers = await storage.listHandovers(now())
      return handovers.map(({ hash, record, by, createdAt, expiresAt }) => ({
        id: toPublicId(hash),
        record,
        by,
        createdAt: toTimestamp(createdAt),
        expiresAt: toTimestamp(expiresAt),
      }))
    },

    /** `by` is the account that revokes it. False if there is no open hand-over with this id. */
    async revokeHandover(id: string, by: string): Promise<boolean> {
      const found = (await storage.listHandovers(now())).find(({ hash }) => toPublicId(hash) === id)
      return found !== undefined && storage.removeHandover(found.hash, by)
    },

    /** Uses up the link. Throws `invalid-link`: the same for a token that is unknown, used, expired, revoked or void. */
    async takeHandover(token: string): Promise<TakenHandover> {
      const taken = await storage.takeHandover(hashToken(token), now())
      if (!taken) throw invalidHandoverError
      return taken
    },
  }
}

interface HandoverRouteOptions {
  links: ReturnType<typeof createHandovers>
  throttle: Throttle
  requireSession: onRequestHookHandler
}

const createSchema = {
  summary: 'Make a link to a credential',
  body: newHandoverSchema,
  response: { 201: objectOf({ id: textSchema, token: textSchema, expiresAt: textSchema }) },
}
const listSchema = {
  summary: 'List open links to credentials',
  response: { 200: objectOf({ handovers: arrayOf(handoverInfoSchema) }) },
}
const revokeSchema = { summary: 'Revoke a link to a credential', response: { 204: noContent } }
const takeSchema = {
  summary: 'Open a link to a credential, once',
  body: tokenBodySchema,
  response: { 200: takenHandoverSchema },
}
const notFoundError = new AppError('not-found', { message: 'There is no such link.' })

/** Only `POST` opens a link: whatever loads or previews its address does not. */
export function handoverRoutes(
  app: FastifyInstance,
  { links, throttle, requireSession }: HandoverRouteOptions,
): void {
  const routes = app.withTypeProvider<JsonSchemaTypes>()
  const onRequest = requireSession
  // As an update, it has all fields twice.
  const bodyLimit = 2 * requestLimits.bodyLimit

  const createOptions = { schema: createSchema, onRequest, preHandler: requireSession, bodyLimit }
  routes.post(paths.handovers, createOptions, async (request, reply) => {
    const { uid } = request.session.account
    const handover = await links.handOver(uid, request.body)
    request.log.info({ uid }, 'hand-over created')
    return reply.code(201).send(handover)
  })

  app.get(paths.handovers, { schema: listSchema, onRequest }, async () => ({
    handovers: await links.listHandovers(),
  }))

  const revokeOptions = { schema: revokeSchema, onRequest }
  app.delete<{ Params: { id: string } }>(`${paths.handovers}/:id`, revokeOptions, async (request, reply) => {
    const { uid } = request.session.account
    if (!(await links.revokeHandover(request.params.id, uid))) throw notFoundError
    request.log.info({ uid }, 'hand-over revoked')
    return reply.code(204).send()
  })

  routes.post(paths.handoverTake, { schema: takeSchema }, async (request) => {
    const taken = await throttle.tryLink(request.ip, () => links.takeHandover(request.body.token))
    request.log.info('hand-over opened')
    return taken
  })
}
