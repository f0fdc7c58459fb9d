import type { ErrorBody } from '../../../contract/errors.ts'
import { ServiceError } from '../ports.ts'
import type { Upload } from './upload.ts'

/** Sends one request to the service and answers its response, or rejects with a `ServiceError`. */
export type Send = (method: string, path: string, options?: SendOptions) => Promise<Response>

export interface SendOptions {
  body?: unknown
  headers?: Record<string, string>
  /** Ends the request; without one, it ends by itself after 30 s. */
  signal?: AbortSignal | undefined
  /** Given for a large body: how much of it has been sent, from 0 to 1. Then it may take its time. */
  onProgress?: ((sent: number) => void) | undefined
}

const requestTimeoutMs = 30_000

/** Milliseconds in which a cookie that is on its way arrives. */
const sessionRetryDelayMs = 250

export function createSend(fetch: typeof globalThis.fetch, upload: Upload, base: string): Send {
  function request(method: string, path: string, options: SendOptions): Promise<Response> {
    const { body, headers: extraHeaders = {}, signal, onProgress } = options
    const headers =
      body === undefined ? extraHeaders : { 'content-type': 'application/json', ...extraHeaders }
    const text = body === undefined ? null : JSON.stringify(body)
    if (text !== null && onProgress) {
      const init = { method, headers, body: text, signal: signal ?? new AbortController().signal }
      return upload(base + path, init, onProgress)
    }
    const requestSignal = signal ?? AbortSignal.timeout(requestTimeoutMs)
    return fetch(base + path, { method, headers, body: text, signal: requestSignal, cache: 'no-store' })
  }

  async function sendOnce(method: string, path: string, options: SendOptions): Promise<Response> {
    const response = await request(method, path, options).catch((cause) => {
      if (options.signal?.aborted) throw new ServiceError('cancelled', 'Cancelled.', { cause })
      return throwOffline(cause)
    })
    if (!response.ok) throw await toServiceError(response)
    return response
  }

  return async (method, path, options = {}) => {
    try {
      return await sendOnce(method, path, options)
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'not-signed-in')) throw error
      // Another tab may have got this browser a new cookie meanwhile: by signing in, or with a new password.
      await new Promise((resolve) => setTimeout(resolve, sessionRetryDelayMs))
      return sendOnce(method, path, options)
    }
  }
}

/** Reads a JSON body; a line that breaks in the middle of it is `offline` like one that never stood. */
export function readJson<T>(response: Response): Promise<T> {
  return response.json().catch(throwOffline)
}

/** The error of a line that broke, or never stood. */
export function throwOffline(cause: unknown): never {
  throw new ServiceError('offline', 'The server can\u2019t be reached. Please check your connection.', {
    cause,
  })
}

/** What our server says where it cannot serve; anyone else's words in these statuses are those of a proxy in between. */
const unavailableCodes: unknown[] = [
  'busy',
  'storage-unavailable',
  'storage-full',
] satisfies ErrorBody['code'][]

async function toServiceError(response: Response): Promise<ServiceError> {
  const body: Partial<ErrorBody> | null = await response.json().catch(() => null)
  const isFromServer = response.status < 502 || unavailableCodes.includes(body?.code)
  if (isFromServer && typeof body?.code === 'string' && typeof body.message === 'string') {
    return new ServiceError(body.code, body.message, { field: body.field })
  }
  // A proxy answers for a server that is down or overloaded.
  if (!isFromServer) return new ServiceError('offline', 'The server can\u2019t be reached right now.')
  return new ServiceError('server-error', 'Something went wrong on the server.')
}
