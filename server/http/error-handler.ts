import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { type ErrorBody, errors } from '../../contract/errors.ts'
import { AppError, type AppErrorDetails } from '../app-error.ts'
import { replaceControls } from '../control-characters.ts'
import { StorageError, type StorageErrorKind } from '../storage/storage.ts'
import { toResponse } from './json-body.ts'
import { apiHeaderLines } from './security-headers.ts'
import { toValidationError } from './validation.ts'

/** Maps every error to an `AppError`. The message of an unknown error is not exposed. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof StorageError) return storageErrors[error.kind]
  const { validation, validationContext, statusCode = 500 } = error as Partial<FastifyError>
  if (validation) return toValidationError(validation, validationContext)
  if (statusCode === 413) return new AppError('too-large')
  if (statusCode === 415) return new AppError('unsupported-media-type')
  if (statusCode === 404) return addressNotFoundError
  if (statusCode >= 400 && statusCode < 500) return new AppError('invalid-request')
  return new AppError('server-error')
}

export const addressNotFoundError = new AppError('not-found', {
  message: 'There is nothing at this address.',
})

const storageErrors: Record<StorageErrorKind, AppError> = {
  full: new AppError('storage-full'),
  'register-full': new AppError('register-full'),
  unavailable: new AppError('storage-unavailable'),
  busy: new AppError('busy', { retryAfterSeconds: 1 }),
  uncertain: new AppError('storage-unavailable', {
    message: 'The storage failed while this was being saved. Look whether it is there before you try again.',
  }),
}

export function sendError(reply: FastifyReply, error: AppError): FastifyReply {
  const { field, id, retryAfterSeconds } = error.details
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.ceil(retryAfterSeconds)))
  const body: ErrorBody = toResponse({ code: error.code, message: error.message, field, id })
  if (!reply.request.raw.complete) readBodyBeforeClosing(reply)
  return reply.code(errors[error.code].status).type('application/json; charset=utf-8').send(body)
}

/**
 * A connection that is closed before all of its input was read is reset, which destroys the response: a proxy replaces it by 502. So
 * the rest of a refused body is read first, within the time limit of its request.
 */
function readBodyBeforeClosing({ request: { raw }, raw: response }: FastifyReply): void {
  const { socket } = raw
  const closeNow = () => Socket.prototype.destroySoon.call(socket)
  let isClosing = false
  socket.destroySoon = () => {
    isClosing = response.writableFinished
    if (!isClosing) return closeNow()
    socket.end()
  }
  response.once('finish', () => raw.resume())
  raw.once('end', () => {
    socket.destroySoon = closeNow
    if (isClosing) closeNow()
  })
}

/** Statuses of requests that may be part of an attack. */
const securityStatuses = new Set([401, 403, 429])

export function installErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const appError = toAppError(error)
    const { code } = appError
    const { status } = errors[code]
    // Anyone can cause it as often as they want. What makes the storage busy is a failure.
    const isOverload = code === 'register-full' || (code === 'busy' && error instanceof AppError)
    if (isOverload) request.log.warn({ code, ip: request.ip }, 'request refused')
    else if (status >= 500) request.log.error({ err: error, code }, 'request failed')
    // The routes log wrong passwords themselves, together with the account.
    else if (securityStatuses.has(status) && code !== 'invalid-credentials')
      request.log.info({ code, ip: request.ip, ...clean(appError.details.log) }, 'request refused')
    return sendError(reply, appError)
  })
}

/** Whoever sends a request chooses what its headers contain. */
const maxLoggedLength = 200

/** JSON escapes some control characters only; others (C1) would change the terminal that shows the log, or turn the line round. */
const toLogged = (text: string | undefined) =>
  text && replaceControls(text.slice(0, maxLoggedLength), () => '\ufffd')

const clean = (values: AppErrorDetails['log'] = {}) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toLogged(value)]))

/** Responds to input that is not valid HTTP, for which there is no request object, and closes the connection. */
export function handleClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // What follows a request must not end up before its response, or in it.
  if (error.code === 'ECONNRESET' || !socket.writable || hasOpenResponse(socket)) socket.destroy()
  else refuseConnection(error.code, socket)
}

/** Whether the response to a complete request is under way. */
function hasOpenResponse(socket: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  // Not documented, but there since Node 0.x. Tracking responses would cost each request time.
  const response = socket._httpMessage
  return response != null && (response.headersSent || response.req.complete)
}

/** Sends an error response instead of the one that is due, and closes the connection. */
export function refuseConnection(errorCode: string | undefined, socket: Socket): void {
  const { status, message } = clientErrors[errorCode ?? ''] ?? {}
  const body = JSON.stringify({
    code: 'invalid-request',
    message: message ?? errors['invalid-request'].message,
  } satisfies ErrorBody)
  socket.end(
    `HTTP/1.1 ${status ?? '400 Bad Request'}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n${apiHeaderLines}Content-Length: ${body.length}\r\n\r\n${body}`,
  )
}

const clientErrors: Record<string, { status: string; message?: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    // Other programs on the domain of this one may have set them, and the browser shows this in place of the page.
    message:
      'The browser has too many cookies for this address. Delete the cookies of this domain, then reload.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    message: 'The request took too long to arrive.',
  },
  HTTP_VERSION: { status: '505 HTTP Version Not Supported' },
}
