import { type ErrorBody, errors } from '../../../contract/errors.ts'
import { ServiceError } from '../ports.ts'

/** Sends one request to the service and answers its response, or rejects with a `ServiceError`. */
export type Send = (method: string, path: string, options?: SendOptions) => Promise<Response>

export interface SendOptions {
  body?: unknown
  headers?: Record<string, string>
  /** Ends the request; without one, it ends by itself after 30 s. */
  signal?: AbortSignal
}

const longestWait = 30_000

export function createSend(fetch: typeof globalThis.fetch, base: string): Send {
  return async (method, path, { body, headers = {}, signal = AbortSignal.timeout(longestWait) } = {}) => {
    const response = await fetch(base + path, {
      method,
      signal,
      cache: 'no-store',
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(unreachable)
    if (!response.ok) throw await refusal(response)
    return response
  }
}

/** Reads a JSON body; a line that breaks in the middle of it is `offline` like one that never stood. */
export function json<T>(response: Response): Promise<T> {
  return response.json().catch(unreachable)
}

function unreachable(cause: unknown): never {
  throw new ServiceError('offline', 'The server can\u2019t be reached. Please check your connection.', {
    cause,
  })
}

async function refusal(response: Response): Promise<ServiceError> {
  const body: Partial<ErrorBody> | null = await response.json().catch(() => null)
  if (body?.code && Object.hasOwn(errors, body.code) && body.message) {
    return new ServiceError(body.code, body.message, { field: body.field })
  }
  // Not our server's words: a proxy in between answers for a server that is down or overloaded.
  if (response.status >= 502)
    return new ServiceError('offline', 'The server can\u2019t be reached right now.')
  return new ServiceError('server-error', errors['server-error'].message)
}
