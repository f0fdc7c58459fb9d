import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { tokenBodySchema, toTimestamp, uidSchema } from '../../../contract/accounts.ts'
import {
  type CreatedSheet,
  createdSheetSchema,
  type HandoverInfo,
  handoverInfoSchema,
  type NewHandover,
  newHandoverSchema,
  newSheetSchema,
  type SheetInfo,
  sheetInfoSchema,
  type TakenHandover,
  takenHandoverSchema,
} from '../../../contract/handovers.ts'
import { arrayOf, objectOf, textSchema, timestampSchema } from '../../../contract/json-schema.ts'
import { idempotencyKeyHeader, paths } from '../../../contract/protocol.ts'
import { AppError } from '../../app-error.ts'
import { createBodyQueue } from '../../http/body-queue.ts'
import { withoutNulls } from '../../http/json-body.ts'
import { requestLimits } from '../../http/limits.ts'
import { noContent } from '../../http/openapi.ts'
import type { Api } from '../../http/validation.ts'
import { idempotencyKeySchema } from '../../records/writes.ts'
import { type HandoverOutcome, type LinkStorage, toPublicId } from '../../storage/storage.ts'
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

interface HandoverDependencies {
  storage: LinkStorage
  /** Milliseconds since 1970. */
  now: () => number
}

/** Links that show one credential once. What they show is encrypted with a key that never reaches the server. */
export function createHandovers(dependencies: HandoverDependencies) {
  const { storage, now } = dependencies

  return {
    /** Creates a link. Throws `not-found`, `too-many-handovers`, or `conflict` if the record is no longer as `seen`. */
    async handOver(uid: string, handover: NewHandover) {
      const { expiresAt, links } = await addLinks(dependencies, uid, [handover])
      const [{ hash, token, outcome }] = links as [(typeof links)[0]]
      if (outcome === 'conflict') throw changedError
      if (outcome !== 'done') throw new AppError(outcome)
      return { id: toPublicId(hash), token, expiresAt }
    },

    /** Creates links to several records, all but those that have changed. Throws `too-many-handovers`. */
    async createSheet(uid: string, handovers: NewHandover[]): Promise<CreatedSheet> {
      const id = toPublicId(createToken().hash)
      const { expiresAt, links } = await addLinks(dependencies, uid, handovers, id)
      if (links.some(({ outcome }) => outcome === 'too-many-handovers'))
        throw new AppError('too-many-handovers')
      return { id, expiresAt, tokens: links.map(({ token, outcome }) => (outcome === 'done' ? token : null)) }
    },

    async listHandovers(): Promise<HandoverInfo[]> {
      const handovers = await storage.listHandovers(now())
      return handovers.map(({ hash, record, by, sheet, ...times }) => ({
        id: toPublicId(hash),
        record,
        by,
        ...withoutNulls({ sheet }),
        ...toTimestamps(times),
      }))
    },

    async listSheets(): Promise<SheetInfo[]> {
      const sheets = await storage.listSheets(now())
      return sheets.map((sheet) => ({ ...sheet, ...toTimestamps(sheet) }))
    },

    /** `by` is the account that revokes its open links. False if there are none. */
    revokeSheet: (id: string, by: string) => storage.removeHandovers('sheet', id, by),

    /** `by` is the account that revokes it. False if there is no open hand-over with this id. */
    async revokeHandover(id: string, by: string): Promise<boolean> {
      const found = (await storage.listHandovers(now())).find(({ hash }) => toPublicId(hash) === id)
      return found !== undefined && storage.removeHandovers('hash', found.hash, by)
    },

    /**
     * Uses up the link; for some minutes, whoever has done it with a `key` can repeat it. Throws `invalid-link`: the same for a
     * token that is unknown, used, expired, revoked or void.
     */
    async takeHandover(token: string, key?: string): Promise<TakenHandover> {
      const taken = await storage.takeHandover(hashToken(token), now(), key)
      if (!taken) throw invalidHandoverError
      return taken
    },
  }
}

/** Creates links, and returns them with the outcome of each. */
async function addLinks(
  { storage, now }: HandoverDependencies,
  uid: string,
  handovers: NewHandover[],
  sheet?: string,
) {
  const expiresAt = now() + handoverTtlMs
  const tokens = handovers.map(createToken)
  const links = handovers.map((given, i) => ({ ...given, hash: tokens[i]?.hash ?? '', uid, expiresAt }))
  const outcomes = await storage.addHandovers(links, now(), sheet)
  return {
    expiresAt: toTimestamp(expiresAt),
    links: tokens.map((token, i) => ({ ...token, outcome: outcomes[i] as HandoverOutcome })),
  }
}

const toTimestamps = ({ createdAt, expiresAt }: Record<'createdAt' | 'expiresAt', number>) => ({
  createdAt: toTimestamp(createdAt),
  expiresAt: toTimestamp(expiresAt),
})

interface HandoverRouteOptions {
  links: ReturnType<typeof createHandovers>
  throttle: Throttle
  requireSession: onRequestHookHandler
}

/** In the schema of a route with `handleRevocation`. */
export const revocation = { params: objectOf({ id: uidSchema }), response: { 204: noContent } }

/** Returns the handler with which anyone signed in revokes what `name` says. `revoke` returns false if there is none. */
export const handleRevocation =
  (name: string, revoke: (id: string, by: string) => Promise<boolean>) =>
  async ({ params, session, log }: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) => {
    const { uid } = session.account
    const isFound = await revoke(params.id, uid)
    if (!isFound) throw new AppError('not-found', { message: `There is no such ${name}.` })
    log.info({ uid }, `${name} revoked`)
    return reply.code(204).send()
  }

const createSchema = {
  summary: 'Make a link to a credential',
  body: newHandoverSchema,
  response: { 201: objectOf({ id: textSchema, token: textSchema, expiresAt: timestampSchema }) },
}
const listSchema = {
  summary: 'List open links to credentials',
  response: { 200: objectOf({ handovers: arrayOf(handoverInfoSchema) }) },
}
const revokeSchema = { summary: 'Revoke a link to a credential', ...revocation }
const createSheetSchema = {
  summary: 'Make links to several credentials',
  body: newSheetSchema,
  response: { 201: createdSheetSchema },
}
const listSheetsSchema = {
  summary: 'List sheets of links',
  response: { 200: objectOf({ sheets: arrayOf(sheetInfoSchema) }) },
}
const revokeSheetSchema = { summary: 'Revoke the open links of a sheet', ...revocation }
const takeSchema = {
  summary: 'Open a link to a credential, once',
  headers: { type: 'object', properties: { [idempotencyKeyHeader]: idempotencyKeySchema } },
  body: tokenBodySchema,
  response: { 200: takenHandoverSchema },
}
const maxSheetBytes = 4 * 2 ** 20

/** Only `POST` opens a link: whatever loads or previews its address does not. */
export function handoverRoutes(app: Api, { links, throttle, requireSession }: HandoverRouteOptions): void {
  const onRequest = requireSession
  // As an update, it has all fields twice.
  const bodyLimit = 2 * requestLimits.bodyLimit

  const createOptions = { schema: createSchema, onRequest, bodyLimit }
  app.post(paths.handovers, createOptions, async (request, reply) => {
    const { uid } = request.session.account
    const handover = await links.handOver(uid, request.body)
    request.log.info({ uid }, 'hand-over created')
    return reply.code(201).send(handover)
  })

  app.get(paths.handovers, { schema: listSchema, onRequest }, async () => ({
    handovers: await links.listHandovers(),
  }))

  const revoke = handleRevocation('hand-over', links.revokeHandover)
  app.delete(`${paths.handovers}/:id`, { schema: revokeSchema, onRequest }, revoke)

  sheetRoutes(app, links, requireSession)

  app.post(paths.handoverTake, { schema: takeSchema }, async ({ ip, body, headers, log }) => {
    const key = headers[idempotencyKeyHeader]
    const taken = await throttle.tryLink(ip, () => links.takeHandover(body.token, key))
    log.info('hand-over opened')
    return taken
  })
}

function sheetRoutes(app: Api, links: HandoverRouteOptions['links'], onRequest: onRequestHookHandler): void {
  const queue = createBodyQueue({
    maxConcurrent: 1,
    maxBytes: 4 * maxSheetBytes,
    maxBytesPerOwner: maxSheetBytes,
    getOwner: ({ session }) => session.account.uid,
  })
  const createOptions = { ...queue, schema: createSheetSchema, onRequest, bodyLimit: maxSheetBytes }
  app.post(paths.sheets, createOptions, async (request, reply) => {
    const { uid } = request.session.account
    const sheet = await links.createSheet(uid, request.body.handovers)
    request.log.info({ uid }, 'sheet created')
    return reply.code(201).send(sheet)
  })

  app.get(paths.sheets, { schema: listSheetsSchema, onRequest }, async () => ({
    sheets: await links.listSheets(),
  }))

  const revoke = handleRevocation('sheet', links.revokeSheet)
  app.delete(`${paths.sheets}/:id`, { schema: revokeSheetSchema, onRequest }, revoke)
}
