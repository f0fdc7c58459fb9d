import type { ErrorBody } from '../../../contract/errors.ts'
import * as messages from '../messages.ts'
import { ServiceError } from '../ports.ts'
import type { Upload } from './on-demand/upload.ts'

/** Sends a request and resolves with its successful response. Rejects with a `ServiceError`. */
export type Send = (method: string, path: string, options?: SendOptions) => Promise<Response>

export interface SendOptions {
  body?: unknown
  headers?: Record<string, string>
  /** The status of an error that the caller handles: its response resolves. */
  handledStatus?: number
  /**
   * Aborts the request: `offline` if its reason is a `TimeoutError`, else `cancelled`. Without a signal the request times out
   * after `requestTimeoutMs`.
   */
  signal?: AbortSignal | undefined
  /** Receives the fraction of a large body that has been sent, from 0 to 1. The request then has the timeout of `upload`. */
  onProgress?: ((sent: number) => void) | undefined
}

const requestTimeoutMs = 30_000

/** Time for another tab's new cookie to arrive. */
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
      const { signal } = options
      if (signal?.aborted && signal.reason?.name !== 'TimeoutError')
        throw new ServiceError('cancelled', messages.cancelled, { cause })
      return throwOffline(cause)
    })
    if (!response.ok && response.status !== options.handledStatus) throw await toServiceError(response)
    return response
  }

  return async (method, path, options = {}) => {
    try {
      return await sendOnce(method, path, options)
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'not-signed-in')) throw error
      // Another tab may have received a new cookie in the meantime: by signing in, or by changing the password.
      await new Promise((resolve) => setTimeout(resolve, sessionRetryDelayMs))
      return sendOnce(method, path, options)
    }
  }
}

/** Reads a JSON body. Rejects with `offline` if the connection is lost while reading. */
export function readJson<T>(response: Response): Promise<T> {
  return response.json().catch(throwOffline)
}

/** Throws the error for a connection that failed or was lost. */
export function throwOffline(cause: unknown): never {
  throw new ServiceError('offline', messages.unreachable, {
    cause,
  })
}

/** The codes that our server sends with status 502 and above; any other body there comes from a proxy. */
const unavailableCodes: unknown[] = [
  'busy',
  'storage-unavailable',
  'storage-full',
] satisfies ErrorBody['code'][]

async function toServiceError(response: Response): Promise<ServiceError> {
  const body: Partial<ErrorBody> | null = await response.json().catch(() => null)
  const isFromServer = response.status < 502 || unavailableCodes.includes(body?.code)
  if (isFromServer && typeof body?.code === 'string' && typeof body.message === 'string') {
    return new ServiceError(body.code, body.message, {
      field: body.field,
      id: body.id,
      retryAfterMs: readRetryAfterMs(response),
    })
  }
  // A proxy responded because the server is down or overloaded.
  if (!isFromServer) return new ServiceError('offline', messages.unreachableNow)
  return new ServiceError('server-error', messages.serverFailed)
}

/** Our server sends seconds, never a date. */
function readRetryAfterMs({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined
}

/** Aborts a request when nothing of its response arrives for a time, however long all of it takes. */
export interface IdleTimeout {
  /** Aborted with a `TimeoutError`. */
  signal: AbortSignal
  /** Waits for a part of the response: the headers or a chunk. Between the parts, no time passes. */
  waitFor<T>(part: Promise<T>): Promise<T>
}

export function createIdleTimeout(timeoutMs: number): IdleTimeout {
  const controller = new AbortController()
  const abort = () => controller.abort(new DOMException('The server sends nothing.', 'TimeoutError'))
  return {
    signal: controller.signal,
    async waitFor(part) {
      const timer = setTimeout(abort, timeoutMs)
      try {
        return await part
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** The chunks of a response body. Safari does not support async iteration of streams yet. */
export async function* readChunks(response: Response, timeout: IdleTimeout): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return
  for (;;) {
    const { done, value } = await timeout.waitFor(reader.read())
    if (done) return
    yield value
  }
}
