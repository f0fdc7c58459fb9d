import type { FastifyInstance, FastifyReply, preHandlerAsyncHookHandler } from 'fastify'
import {
  type EmployeeFields,
  employeeFieldsSchema,
  employeeUpdateSchema,
  fieldNames,
  idPattern,
} from '../../contract/employees.ts'
import { errors } from '../../contract/errors.ts'
import {
  type Conflict,
  countHeader,
  epochHeader,
  idempotencyKeyHeader,
  paths,
  revisionHeader,
} from '../../contract/protocol.ts'
import { AppError } from '../app-error.ts'
import { requestLimits } from '../http/limits.ts'
import { writeRawHead } from '../http/security-headers.ts'
import { createSlowReaderLimit, type SlowReaderLimits } from '../http/slow-readers.ts'
import { createUnfinishedBodyLimit } from '../http/unfinished-bodies.ts'
import type { JsonSchemaTypes } from '../http/validation.ts'
import type { EmployeeStorage, WriteOutcome } from '../storage/storage.ts'
import { createId, digestContent, idempotencyKeySchema, idFromKey } from './ids.ts'
import type { LiveList } from './live-list.ts'

export const idParamsSchema = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', pattern: idPattern } },
} as const
const headersSchema = {
  type: 'object',
  properties: { [idempotencyKeyHeader]: idempotencyKeySchema },
} as const

const addSchema = { body: employeeFieldsSchema, headers: headersSchema }
const updateSchema = { params: idParamsSchema, body: employeeUpdateSchema }
const restoreSchema = { params: idParamsSchema, body: employeeFieldsSchema }
const removeSchema = { params: idParamsSchema }

interface EmployeeRouteLimits {
  slowReaderLimits?: SlowReaderLimits | undefined
  maxUnfinishedBodyBytes?: number | undefined
}

/** Routes of the collection. `app` must require a session. */
export function employeeRoutes(
  app: FastifyInstance,
  employees: EmployeeStorage,
  liveList: LiveList,
  limits: EmployeeRouteLimits,
): void {
  const recordPath = `${paths.books}/:id`
  const routes = app.withTypeProvider<JsonSchemaTypes>()
  const preParsing = createUnfinishedBodyLimit(limits.maxUnfinishedBodyBytes)
  listRoute(app, employees, liveList, limits.slowReaderLimits)

  routes.post(paths.books, { schema: addSchema, preParsing }, async ({ body, headers, session }, reply) => {
    const key = headers[idempotencyKeyHeader]
    const { uid } = session.account
    const id = key === undefined ? createId() : idFromKey(uid, key)
    const digest = key === undefined ? undefined : digestContent(uid, key, toCanonicalText(body))
    requireWritten(await employees.add(id, body, digest, uid), reply, id)
    return reply.code(201).send({ id })
  })

  // The body may hold the record twice.
  const updateOptions = { schema: updateSchema, preParsing, bodyLimit: 2 * requestLimits.bodyLimit }
  routes.patch(recordPath, updateOptions, async ({ params: { id }, body, session }, reply) => {
    const { seen, ...update } = body
    const write = requireWritten(await employees.update(id, update, seen, session.account.uid), reply)
    if (!write.fields) return { id }
    const document = { id, ...write.fields }
    if (write.outcome !== 'conflict') return document
    const { message, status } = errors.conflict
    const conflict: Conflict = { code: 'conflict', message, document, after: liveList.idBefore(write.seq) }
    return reply.code(status).send(conflict)
  })

  const restoreOptions = { schema: restoreSchema, preParsing }
  routes.put(recordPath, restoreOptions, async ({ params: { id }, body, session }, reply) => {
    const { seq } = requireWritten(await employees.restore(id, body, session.account.uid), reply)
    return { id, after: liveList.idBefore(seq) }
  })

  const removeOptions = { schema: removeSchema, preParsing }
  routes.delete(recordPath, removeOptions, async ({ params: { id }, session }, reply) => {
    requireWritten(await employees.remove(id, session.account.uid), reply)
    return reply.code(204).send()
  })
}

export const encodingHeaders = {
  json: { vary: 'accept-encoding' },
  gzip: { vary: 'accept-encoding', 'content-encoding': 'gzip' },
}

/** The list contains every change that any server has acknowledged before the request. */
function listRoute(
  app: FastifyInstance,
  employees: EmployeeStorage,
  liveList: LiveList,
  limits: SlowReaderLimits | undefined,
): void {
  const slowReaderLimit = createSlowReaderLimit(limits)

  app.get(paths.books, { preHandler: createCatchUp(employees) }, (request, reply) => {
    const encoding = acceptsGzip(request.headers['accept-encoding']) ? 'gzip' : 'json'
    const currentEtag = liveList.etag(encoding)
    if (matchesEtag(request.headers['if-none-match'], currentEtag)) {
      // Most requests end here, and sending an empty response through Fastify would double their cost.
      writeRawHead(request, reply, 304, ['etag', currentEtag, 'vary', 'accept-encoding']).end()
      return
    }
    const { uid } = request.session.account
    const { epoch } = liveList
    return liveList.read(encoding).then(({ etag, count, body }) => {
      const headers = { ...encodingHeaders[encoding], etag, [epochHeader]: epoch, [countHeader]: count }
      return slowReaderLimit.sendJson(reply, uid, body, headers)
    })
  })
}

/** A hook that waits for what other servers have written, if there may be any. */
export function createCatchUp({ catchUp }: EmployeeStorage): preHandlerAsyncHookHandler[] {
  return catchUp ? [async () => catchUp()] : []
}

const toCanonicalText = (fields: EmployeeFields) => JSON.stringify(fieldNames.map((name) => fields[name]))

/** Sets the `revision` header. Throws an `AppError` if there is no record to write; it names the `id`, if given. */
export function requireWritten(write: WriteOutcome, reply: FastifyReply, id?: string) {
  if (!('seq' in write)) throw new AppError(write.outcome, id === undefined ? {} : { id })
  reply.header(revisionHeader, String(write.revision))
  return write
}

export function acceptsGzip(header: string | string[] | undefined): boolean {
  return /(^|[\s,])gzip\s*(;\s*q=(?!0(\.0*)?\s*(,|$))|,|$)/i.test(String(header ?? ''))
}

/** Compares weakly, as `If-None-Match` requires (RFC 9110, 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag) return true
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)
}
