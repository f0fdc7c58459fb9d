import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { type ErrorBody, errors } from '../../contract/errors.ts'
import { Refusal } from '../app-error.ts'
import type { Log } from '../process/logger.ts'
import { StorageError, type StorageErrorKind } from '../storage/storage.ts'
import { dataHeaderLines } from './security-headers.ts'
import { invalidRequest } from './validation.ts'

/** The one place where an error becomes an answer; an error it does not know keeps its words to itself. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof StorageError) return storageRefusals[error.kind]
  const { code = '', validation, validationContext, statusCode = 500 } = error as Partial<FastifyError>
  if (validation) return invalidRequest(validation, validationContext)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refusal('unsupported-media-type')
  if (statusCode === 413) return new Refusal('too-large')
  if (statusCode === 415) return new Refusal('unsupported-media-type')
  if (statusCode === 404) return nothingHere
  if (statusCode >= 400 && statusCode < 500) return new Refusal('invalid-request')
  return new Refusal('server-error')
}

const nothingHere = new Refusal('not-found', { message: 'There is nothing at this address.' })

const storageRefusals: Record<StorageErrorKind, Refusal> = {
  full: new Refusal('storage-full'),
  unavailable: new Refusal('storage-unavailable'),
  busy: new Refusal('busy', { retryAfter: 1 }),
  uncertain: new Refusal('storage-unavailable', {
    message: 'The storage failed while this was being saved. Look whether it is there before you try again.',
  }),
}

export function answerRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { field, retryAfter } = refusal.details
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(retryAfter)))
  const body: ErrorBody = {
    code: refusal.code,
    message: refusal.message,
    ...(field === undefined ? {} : { field }),
  }
  return reply.code(errors[refusal.code].status).type('application/json; charset=utf-8').send(body)
}

/** Not signed in, not allowed, too often: what an attempt to get in looks like. */
const securityStatuses = new Set([401, 403, 429])

export function installErrorTable(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error)
    const { code } = refusal
    const { status } = errors[code]
    if (status >= 500) log.error({ err: error, code }, 'a request failed')
    // A wrong password is told where it happens, with the account it was tried at.
    else if (securityStatuses.has(status) && code !== 'invalid-credentials')
      log.info({ code, ip: request.ip }, 'a request was refused')
    return answerRefusal(reply, refusal)
  })
}

export function answerNothingHere(reply: FastifyReply): FastifyReply {
  return answerRefusal(reply, nothingHere)
}

/** What is no HTTP never becomes a request: it is answered on the bare connection, which then closes. */
export function answerBadHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const body = JSON.stringify({
    code: 'invalid-request',
    message: isLate ? 'The request took too long to arrive.' : errors['invalid-request'].message,
  } satisfies ErrorBody)
  socket.end(
    `HTTP/1.1 ${badHttpStatus[error.code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n${dataHeaderLines}Content-Length: ${body.length}\r\n\r\n${body}`,
  )
}

const badHttpStatus: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}
