import type { FastifyInstance, FastifyReply } from 'fastify'
import { type EmployeeFields, employeeFieldsSchema } from '../../contract/employees.ts'
import { idempotencyKeyHeader, idPattern, paths, revisionHeader } from '../../contract/protocol.ts'
import { Refusal } from '../app-error.ts'
import { beginBare } from '../http/security-headers.ts'
import { createUnread, type UnreadLimits } from '../http/slow-readers.ts'
import { requireWellFormed } from '../http/validation.ts'
import type { BookStorage, WriteOutcome } from '../storage/storage.ts'
import { idempotencyKey, idFor, newId } from './ids.ts'
import type { Register } from './live-list.ts'

interface ById {
  Params: { id: string }
  Body: EmployeeFields
}

const params = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', pattern: idPattern } },
} as const
const body = employeeFieldsSchema
const headers = {
  type: 'object',
  properties: { [idempotencyKeyHeader]: idempotencyKey },
} as const

/** The calls of the collection; `app` lets nobody in without a session. */
export function bookRoutes(
  app: FastifyInstance,
  books: BookStorage,
  register: Register,
  limits?: UnreadLimits,
): void {
  const path = paths.books
  const onePath = `${path}/:id`
  const unread = createUnread(limits)

  app.get(path, (request, reply) => {
    const compressed = acceptsGzip(request.headers['accept-encoding'])
    const { tag, body } = compressed ? register.list.gzip : register.list.json
    const named = ['etag', tag, 'vary', 'accept-encoding']
    if (namesTag(request.headers['if-none-match'], tag)) {
      // Most ask for what they have already, and to send nothing takes the framework as long as all the rest takes.
      beginBare(request, reply, 304, named).end()
      return
    }
    const list = body()
    const { uid } = request.found.account
    unread.requireRoom(uid, list)
    reply.header('etag', tag).header('vary', 'accept-encoding')
    if (compressed) reply.header('content-encoding', 'gzip')
    reply.type('application/json; charset=utf-8').send(list)
    unread.hold(uid, list, reply)
  })

  app.post<{ Body: EmployeeFields }>(
    path,
    { schema: { body, headers } },
    async ({ body, headers, found }, reply) => {
      requireWellFormed(body)
      const key = headers[idempotencyKeyHeader] as string | undefined
      const id = key === undefined ? newId() : idFor(found.account.uid, key)
      written(await books.add(id, body), reply)
      return reply.code(201).send({ id })
    },
  )

  app.patch<ById>(onePath, { schema: { params, body } }, async ({ params: { id }, body }, reply) => {
    requireWellFormed(body)
    written(await books.update(id, body), reply)
    return { id }
  })

  app.put<ById>(onePath, { schema: { params, body } }, async ({ params: { id }, body }, reply) => {
    requireWellFormed(body)
    const { seq } = written(await books.restore(id, body), reply)
    return { id, after: register.idBefore(seq) }
  })

  app.delete<ById>(onePath, { schema: { params } }, async ({ params: { id } }, reply) => {
    written(await books.remove(id), reply)
    return reply.code(204).send()
  })
}

/** Tells the write's revision, or refuses with what the storage found. */
function written(write: WriteOutcome, reply: FastifyReply) {
  if (!('seq' in write)) throw new Refusal(write.outcome)
  reply.header(revisionHeader, String(write.revision))
  return write
}

function acceptsGzip(header: string | string[] | undefined): boolean {
  return /(^|[\s,])gzip\s*(;\s*q=(?!0(\.0*)?\s*(,|$))|,|$)/i.test(String(header ?? ''))
}

/** Weak or strong makes no difference here (RFC 9110, 13.1.2). */
function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header === tag) return true
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag)
}
