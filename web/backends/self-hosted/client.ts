import type { ErrorBody } from '../../../contract/errors.ts'
import { accountHeader, revisionHeader } from '../../../contract/protocol.ts'
import { t } from '../../language/translate.ts'
import { checkClock } from '../../lib/times/clock.ts'
import { translateError } from '../messages.ts'
import { hasCode, ServiceError, type ServiceErrorCode } from '../ports.ts'
import { throwOffline } from '../throw-offline.ts'
import type { Upload } from './upload.ts'

/** Sends a request and resolves with its successful response. Rejects with a `ServiceError`. */
export type Send = (method: string, path: string, options?: SendOptions) => Promise<Response>

export interface SendOptions {
  body?: unknown
  headers?: Record<string, string>
  /** The status of an error that the caller handles: its response resolves. */
  handledStatus?: number
  /** Aborts the request: `offline` after a `TimeoutError`, else `cancelled`. By default, it has the timeout `requestTimeoutMs`. */
  signal?: AbortSignal | undefined
  /** Receives the fraction of a large body that has been sent, from 0 to 1. The request then has the timeout of `upload`. */
  onProgress?: ((sent: number) => void) | undefined
}

const requestTimeoutMs = 30_000

const jsonHeaders = { 'content-type': 'application/json' }

/** Time for another tab's new cookie to arrive. */
const sessionRetryDelayMs = 250

/** `onSessionEnded` is called before a request rejects with `not-signed-in`. `getUid` returns who changes something. */
export function createSend(
  fetch: typeof globalThis.fetch,
  upload: Upload,
  base: string,
  onSessionEnded = () => {},
  getUid?: () => string | undefined,
): Send {
  async function sendOnce(
    method: string,
    path: string,
    options: SendOptions,
    uid?: string | false,
  ): Promise<Response> {
    const { body, headers, signal, handledStatus, onProgress } = options
    const url = base + path
    const text = body === undefined ? null : JSON.stringify(body)
    const account = uid && { [accountHeader]: encodeURIComponent(uid) }
    const init = { method, headers: { ...(text !== null && jsonHeaders), ...account, ...headers } }
    const timeout = () => AbortSignal.timeout(requestTimeoutMs)
    const request =
      text !== null && onProgress
        ? upload(url, { ...init, body: text, signal: signal ?? new AbortController().signal }, onProgress)
        : fetch(url, { ...init, body: text, signal: signal ?? timeout(), cache: 'no-store' })
    const response = await request.catch((cause) => {
      if (!signal?.aborted || signal.reason?.name === 'TimeoutError') return throwOffline(cause)
      throw new ServiceError('cancelled', t('Cancelled.'), { cause })
    })
    if (!response.ok && response.status !== handledStatus) throw await toServiceError(response)
    // Our server never responds with a page. A network that wants a login does, to any request.
    if (response.headers.get('content-type')?.includes('html')) throwForeign()
    checkClock(response.headers.get('date'))
    return response
  }

  return async (method, path, options = {}) => {
    // The cookie may be that of an account that another tab has signed in to, which must not become the author.
    const uid = method !== 'GET' && getUid?.()
    try {
      return await sendOnce(method, path, options, uid)
    } catch (error) {
      if (!hasCode(error, 'not-signed-in')) throw error
      // Another tab may have received a new cookie in the meantime: by signing in, or by changing the password.
      await new Promise((resolve) => setTimeout(resolve, sessionRetryDelayMs))
      return sendOnce(method, path, options, uid).catch((error) => {
        if (hasCode(error, 'not-signed-in')) onSessionEnded()
        throw error
      })
    }
  }
}

/** Throws the error for an answer that is not of our server. */
function throwForeign(): never {
  throw new ServiceError(
    'offline',
    t('Something between you and the server answered in its place. Check your connection.'),
  )
}

/** To a change of which nothing is read, our server responds with another status than 200, or with a revision. */
function requireDone({ status, headers }: Response): void {
  if (status === 200 && !headers.has(revisionHeader)) throwForeign()
}

/** The requests of a service: to read something, to change something, and to end something that may have ended already. */
export function createRequests(send: Send) {
  const read = <T>(...request: Parameters<Send>): Promise<T> => send(...request).then(readJson<T>)
  return {
    read,
    /** Reads the list that the response has under a name. */
    readList: async <T, Name extends string>(path: string, name: Name, options?: SendOptions): Promise<T[]> =>
      (await read<Record<Name, T[]>>('GET', path, options))[name],
    run: (...request: Parameters<Send>) => send(...request).then(requireDone),
    end: (path: string) => send('DELETE', path).then(requireDone).catch(ignore('not-found')),
  }
}

/** Reads a JSON body. Rejects with `offline` if the connection is lost while reading. */
export function readJson<T>(response: Response): Promise<T> {
  return response.json().catch(throwOffline)
}

/** Returns a handler for `catch`. It ignores the error that says that nothing is left to be ended. */
export const ignore = (code: ServiceErrorCode) => (error: unknown) => {
  if (!hasCode(error, code)) throw error
}

export function readNumber({ headers }: Response, name: string): number | undefined {
  const number = Number(headers.get(name) ?? Number.NaN)
  return Number.isFinite(number) ? number : undefined
}

/** The codes that our server sends with status 502 and above; any other body there comes from a proxy. */
const unavailableCodes: unknown[] = [
  'busy',
  'storage-unavailable',
  'sso-unavailable',
  'storage-full',
  'register-full',
] satisfies ErrorBody['code'][]

async function toServiceError(response: Response): Promise<ServiceError> {
  const { status } = response
  const body: Partial<ErrorBody> | null = await response.json().catch(() => null)
  // Our server sends seconds, never a date.
  const seconds = readNumber(response, 'retry-after')
  const retryAfterMs = seconds && seconds * 1_000
  const isFromServer = status < 502 || unavailableCodes.includes(body?.code)
  if (isFromServer && typeof body?.code === 'string' && typeof body.message === 'string')
    return new ServiceError(body.code, translateError(body.code, body.message), {
      field: body.field,
      id: body.id,
      retryAfterMs,
    })
  // A proxy responded, because the server is down or overloaded, or the proxy itself is.
  if (status >= 502 || overloadedStatuses.includes(status))
    return new ServiceError('offline', t('The server isn’t available.'), { retryAfterMs })
  if (status === 500) return new ServiceError('server-error', t('Something went wrong on the server.'))
  const isTooLarge = status === 413
  return new ServiceError(
    'server-error',
    isTooLarge
      ? t('Something between you and the server refused this, because it is too large.')
      : t('Something between you and the server refused this.'),
  )
}

/** The statuses of other servers' responses after which a request can be repeated: timed out, and too many requests. */
const overloadedStatuses = [408, 429]

/** Requests a response that is read in chunks, and aborted when nothing arrives for `idleTimeoutMs`, except between chunks. */
export async function openResponse(
  send: Send,
  path: string,
  idleTimeoutMs: number,
  { signal, ...options }: SendOptions = {},
) {
  const idle = new AbortController()
  const abort = () => idle.abort(new DOMException('The server sends nothing.', 'TimeoutError'))

  async function waitFor<T>(part: Promise<T>): Promise<T> {
    const timer = setTimeout(abort, idleTimeoutMs)
    try {
      return await part
    } finally {
      clearTimeout(timer)
    }
  }

  /** Safari does not support async iteration of streams yet. */
  async function* readChunks(): AsyncGenerator<Uint8Array> {
    const reader = response.body?.getReader()
    if (!reader) return
    for (;;) {
      const { done, value } = await waitFor(reader.read())
      if (done) return
      yield value
    }
  }

  const anySignal = signal ? AbortSignal.any([signal, idle.signal]) : idle.signal
  const response = await waitFor(send('GET', path, { ...options, signal: anySignal }))
  return { response, chunks: readChunks() }
}
