import { hash, randomFillSync } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { describeRestored, restoredSchema } from '../../contract/batches.ts'
import {
  type EmployeeFields,
  employeeFieldsSchema,
  employeeSchema,
  employeeUpdateSchema,
  listTexts,
} from '../../contract/employees.ts'
import { errors } from '../../contract/errors.ts'
import { objectOf } from '../../contract/json-schema.ts'
import {
  bookListSchema,
  type Conflict,
  conflictSchema,
  countHeader,
  epochHeader,
  idempotencyKeyHeader,
  paths,
  repeatedHeader,
  revisionHeader,
  usedHeader,
} from '../../contract/protocol.ts'
import { AppError } from '../app-error.ts'
import type { EventStreams } from '../http/event-streams.ts'
import type { LargeResponses } from '../http/large-responses.ts'
import { requestLimits } from '../http/limits.ts'
import { chooseEncoding, encodingHeaders, matchesEtag } from '../http/negotiation.ts'
import { idBody, noContent } from '../http/openapi.ts'
import { writeRawHead } from '../http/security-headers.ts'
import type { Api } from '../http/validation.ts'
import type { EmployeeStorage, HistoryStorage, RegisterSize, WriteOutcome } from '../storage/storage.ts'
import { createCatchUp, type LiveList } from './live-list.ts'

export const idParamsSchema = objectOf({ id: employeeSchema.properties.id })

/** The headers in the schema of a route that can be repeated with a key. */
export const keySchema = {
  type: 'object',
  properties: { [idempotencyKeyHeader]: { type: 'string', pattern: '^[!-~]{1,128}$' } },
} as const

const listSchema = {
  summary: 'List records; with `first`, the first of them: at least so many',
  querystring: {
    type: 'object',
    properties: { first: { type: 'string', pattern: '^([1-9][0-9]{0,2}|1000)$' } },
  },
  response: { 200: bookListSchema, 304: noContent },
} as const
const addSchema = {
  summary: 'Add a record',
  body: employeeFieldsSchema,
  headers: keySchema,
  response: { 201: idBody },
}
const updateSchema = {
  summary: 'Change a record; with `seen`, merge',
  params: idParamsSchema,
  headers: keySchema,
  body: employeeUpdateSchema,
  response: { 200: { anyOf: [idBody, employeeSchema] }, 409: conflictSchema },
}
const restoreSchema = {
  summary: 'Restore a deleted record; with `seen`, merge',
  params: idParamsSchema,
  headers: keySchema,
  body: employeeUpdateSchema,
  response: { 200: restoredSchema },
}
const removeSchema = { summary: 'Delete a record', params: idParamsSchema, headers: keySchema }

export interface RecordRouteOptions {
  employees: EmployeeStorage
  history: HistoryStorage
  liveList: LiveList
  streams: EventStreams
  responses: LargeResponses
  /** See `Retention`. */
  deletedDays: number
}

/** Routes of the collection. `app` must require a session. */
export function employeeRoutes(app: Api, options: RecordRouteOptions): void {
  const { employees, liveList } = options
  const recordPath = `${paths.books}/:id`
  listRoute(app, options)

  app.post(paths.books, { schema: addSchema }, async ({ body, headers, session }, reply) => {
    const key = headers[idempotencyKeyHeader]
    const { uid } = session.account
    const id = key === undefined ? createId() : idFromKey(uid, key)
    const digest = digestFields(uid, key, body)
    const { outcome } = requireWritten(await employees.add(id, body, uid, digest), reply, id)
    if (outcome === 'unchanged') reply.header(repeatedHeader, 'yes')
    return reply.code(201).send({ id })
  })

  // The body may hold the record twice.
  const bodyLimit = 2 * requestLimits.bodyLimit
  const updateOptions = { schema: updateSchema, bodyLimit }
  app.patch(recordPath, updateOptions, async ({ params: { id }, body, headers, session }, reply) => {
    const { seen, ...update } = body
    const { uid } = session.account
    const digest = digestFields(uid, headers[idempotencyKeyHeader], update, 'PATCH')
    const write = requireWritten(await employees.update(id, update, seen, uid, digest), reply)
    if (!seen || !write.fields) return { id }
    const document = { id, ...write.fields }
    if (write.outcome !== 'conflict') return document
    const { message, status } = errors.conflict
    const conflict: Conflict = { code: 'conflict', message, document, after: liveList.idBefore(write.seq) }
    return reply.code(status).send(conflict)
  })

  const restoreOptions = { schema: restoreSchema, bodyLimit }
  app.put(recordPath, restoreOptions, async ({ params: { id }, body, headers, session }, reply) => {
    const { seen, ...requested } = body
    const { uid } = session.account
    const digest = digestFields(uid, headers[idempotencyKeyHeader], requested, 'PUT')
    const write = await employees.restore(id, requested, seen, uid, digest)
    const { seq, fields } = requireWritten(write, reply)
    return describeRestored(id, liveList.idBefore(seq), fields)
  })

  app.delete(recordPath, { schema: removeSchema }, async ({ params: { id }, headers, session }, reply) => {
    const { uid } = session.account
    const digest = digestRequest(uid, headers[idempotencyKeyHeader], 'DELETE')
    requireWritten(await employees.remove(id, uid, digest), reply)
    return reply.code(204).send()
  })
}

/** The list contains every change that any server has acknowledged before the request. */
function listRoute(app: Api, { employees, liveList, responses }: RecordRouteOptions): void {
  app.get(paths.books, { schema: listSchema, preHandler: createCatchUp(employees) }, (request, reply) => {
    const encoding = chooseEncoding(request, ['gzip'])
    const { first } = request.query
    const currentEtag = liveList.etag(encoding)
    if (first === undefined && matchesEtag(request, currentEtag)) {
      // Most requests end here, and sending an empty response through Fastify would double their cost.
      writeRawHead(request, reply, 304, ['etag', currentEtag, 'vary', 'accept-encoding']).end()
      return
    }
    const { epoch } = liveList
    const reading =
      first === undefined ? liveList.read(encoding) : liveList.readFirst(encoding, Number(first))
    return reading.then(({ etag, count, body }) => {
      const headers = {
        ...encodingHeaders[encoding],
        ...(first === undefined && { etag }),
        [epochHeader]: epoch,
        [countHeader]: count,
        ...findUsed(employees.size()),
      }
      return responses.sendBody(reply, body, headers)
    })
  })
}

/** A page says so from then on. */
const shownUsedPercent = 90

function findUsed({ bytes, deletedBytes, maxBytes }: RegisterSize): Record<string, number> {
  const percent = Math.floor((100 * Math.max(bytes, (bytes + deletedBytes) / 2)) / maxBytes)
  return percent < shownUsedPercent ? {} : { [usedHeader]: percent }
}

const toCanonicalText = (fields: EmployeeFields) => JSON.stringify(listTexts(fields))

/** Derives the id from account and key, so that a retry finds its record. 20 characters. */
export function idFromKey(uid: string, key: string): string {
  return hash('sha256', `${uid}\n${key}`, 'base64url').slice(0, 20)
}

/** `method`: of a request that changes a record. `seen` does not count: a client may send another one when it repeats the request. */
const digestFields = (uid: string, key: string | undefined, fields: EmployeeFields, method = '') =>
  digestRequest(uid, key, method + toCanonicalText(fields))

/** Identifies a request, if it has a key. */
export const digestRequest = (uid: string, key: string | undefined, content: string) =>
  key === undefined ? undefined : digestContent(uid, key, content)

/**
 * Identifies the content of a request with this key. It is of no use for guessing the content of removed records, because
 * keys are stored nowhere, and clients choose random ones.
 */
export function digestContent(uid: string, key: string, content: string): string {
  return hash('sha256', `${uid}\n${key}\n${content}`, 'base64url').slice(0, 22)
}

/** Sets the `revision` header. Throws an `AppError` if there is no record to write; it names the `id`, if given. */
export function requireWritten(write: WriteOutcome, reply: FastifyReply, id?: string) {
  if (!('seq' in write)) throw new AppError(write.outcome, id === undefined ? {} : { id })
  reply.header(revisionHeader, String(write.revision))
  if (write.isRepeated) reply.header(repeatedHeader, 'yes')
  return write
}

const timeBytes = 6
const randomBytesPerId = 9
/** Filled at once, because a system call for each id takes a tenth of the time of a durable add. */
const randomPool = Buffer.alloc(400 * randomBytesPerId)
let poolOffset = randomPool.length

/** Creates an id of 20 characters: 48 bits of time, so that inserts into the index are adjacent, and 72 random bits. */
export function createId(): string {
  if (poolOffset === randomPool.length) {
    randomFillSync(randomPool)
    poolOffset = 0
  }
  const bytes = Buffer.allocUnsafe(timeBytes + randomBytesPerId)
  bytes.writeUIntBE(Date.now(), 0, timeBytes)
  randomPool.copy(bytes, timeBytes, poolOffset, poolOffset + randomBytesPerId)
  poolOffset += randomBytesPerId
  return bytes.toString('base64url')
}
