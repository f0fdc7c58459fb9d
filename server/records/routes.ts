import type { FastifyInstance, FastifyReply } from 'fastify'
import { type EmployeeFields, employeeFieldsSchema } from '../../contract/employees.ts'
import { idempotencyKeyHeader, idPattern, paths, revisionHeader } from '../../contract/protocol.ts'
import { AppError } from '../app-error.ts'
import { writeRawHead } from '../http/security-headers.ts'
import { createSlowReaderLimit, type SlowReaderLimits } from '../http/slow-readers.ts'
import { requireWellFormed } from '../http/validation.ts'
import type { EmployeeStorage, WriteOutcome } from '../storage/storage.ts'
import { createId, idempotencyKeySchema, idFromKey } from './ids.ts'
import type { LiveList } from './live-list.ts'

interface ByIdRoute {
  Params: { id: string }
  Body: EmployeeFields
}

const idParamsSchema = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', pattern: idPattern } },
} as const
const bodySchema = employeeFieldsSchema
const headersSchema = {
  type: 'object',
  properties: { [idempotencyKeyHeader]: idempotencyKeySchema },
} as const

/** The calls of the collection; `app` lets nobody in without a session. */
export function employeeRoutes(
  app: FastifyInstance,
  employees: EmployeeStorage,
  liveList: LiveList,
  limits?: SlowReaderLimits,
): void {
  const path = paths.books
  const recordPath = `${path}/:id`
  const slowReaderLimit = createSlowReaderLimit(limits)

  app.get(path, (request, reply) => {
    const compressed = acceptsGzip(request.headers['accept-encoding'])
    const { etag, body } = compressed ? liveList.responses.gzip : liveList.responses.json
    const cacheHeaders = ['etag', etag, 'vary', 'accept-encoding']
    if (matchesEtag(request.headers['if-none-match'], etag)) {
      // Most ask for what they have already, and to send nothing takes the framework as long as all the rest takes.
      writeRawHead(request, reply, 304, cacheHeaders).end()
      return
    }
    const list = body()
    const { uid } = request.session.account
    slowReaderLimit.requireCapacity(uid, list)
    reply.header('etag', etag).header('vary', 'accept-encoding')
    if (compressed) reply.header('content-encoding', 'gzip')
    reply.type('application/json; charset=utf-8').send(list)
    slowReaderLimit.trackUntilRead(uid, list, reply)
  })

  app.post<{ Body: EmployeeFields }>(
    path,
    { schema: { body: bodySchema, headers: headersSchema } },
    async ({ body, headers, session }, reply) => {
      requireWellFormed(body)
      const key = headers[idempotencyKeyHeader] as string | undefined
      const id = key === undefined ? createId() : idFromKey(session.account.uid, key)
      requireWritten(await employees.add(id, body), reply)
      return reply.code(201).send({ id })
    },
  )

  app.patch<ByIdRoute>(
    recordPath,
    { schema: { params: idParamsSchema, body: bodySchema } },
    async ({ params: { id }, body }, reply) => {
      requireWellFormed(body)
      requireWritten(await employees.update(id, body), reply)
      return { id }
    },
  )

  app.put<ByIdRoute>(
    recordPath,
    { schema: { params: idParamsSchema, body: bodySchema } },
    async ({ params: { id }, body }, reply) => {
      requireWellFormed(body)
      const { seq } = requireWritten(await employees.restore(id, body), reply)
      return { id, after: liveList.idBefore(seq) }
    },
  )

  app.delete<ByIdRoute>(
    recordPath,
    { schema: { params: idParamsSchema } },
    async ({ params: { id } }, reply) => {
      requireWritten(await employees.remove(id), reply)
      return reply.code(204).send()
    },
  )
}

/** Tells the write's revision, or refuses with what the storage found. */
function requireWritten(write: WriteOutcome, reply: FastifyReply) {
  if (!('seq' in write)) throw new AppError(write.outcome)
  reply.header(revisionHeader, String(write.revision))
  return write
}

function acceptsGzip(header: string | string[] | undefined): boolean {
  return /(^|[\s,])gzip\s*(;\s*q=(?!0(\.0*)?\s*(,|$))|,|$)/i.test(String(header ?? ''))
}

/** Weak or strong makes no difference here (RFC 9110, 13.1.2). */
function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag) return true
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)
}
