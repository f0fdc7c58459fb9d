import type { Batch } from '../../contract/batches.ts'
import { type BookList, idempotencyKeyHeader, paths } from '../../contract/protocol.ts'
import { openConnection, sendRequest } from './raw-http.ts'
import { rememberRequest } from './recent-requests.ts'

export const password = 'correct horse battery'

export interface TestResponse {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
  body: any
}

/** What a response to a refused request matches. */
export const refusal = (status: number, code: string, field?: string) => ({
  status,
  body: { code, ...(field === undefined ? {} : { field }) },
})

export type TestClient = ReturnType<typeof createTestClient>

/** An HTTP client that stores the session cookie. */
export function createTestClient(url: string, cookie = '') {
  function request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    return fetch(url + path, {
      method,
      headers: {
        ...(cookie ? { cookie } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  }

  async function call(...args: Parameters<typeof request>): Promise<TestResponse> {
    const response = await request(...args)
    const setCookie = response.headers.get('set-cookie')
    if (setCookie) cookie = setCookie.slice(0, setCookie.indexOf(';'))
    const text = await response.text()
    const [method, path] = args
    rememberRequest(method, path, response.status, text)
    return { status: response.status, headers: response.headers, body: text && parseJsonOrText(text) }
  }

  return {
    call,
    get: (path: string, headers?: Record<string, string>) => call('GET', path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Record<string, string>) =>
      call('POST', path, body, headers),
    put: (path: string, body?: unknown) => call('PUT', path, body),
    delete: (path: string) => call('DELETE', path),
    get cookie() {
      return cookie
    },
    signUp: (email: string, chosen = password, invitation?: string) =>
      call('POST', paths.accounts, {
        email,
        password: chosen,
        ...(invitation !== undefined && { invitation }),
      }),
    signIn: (email: string, chosen = password) => call('POST', paths.session, { email, password: chosen }),
    uid: async (): Promise<string> => (await call('GET', paths.session)).body.uid,
    list: () => call('GET', paths.books),
    documents: async () => (await call('GET', paths.books)).body.documents,
    /** Lists the records, or rejects if that is refused. */
    async book(): Promise<BookList> {
      const { status, body } = await call('GET', paths.books)
      if (status !== 200) throw new Error(`The list was refused with ${status}.`)
      return body
    },
    add: (fields: unknown, key?: string) => call('POST', paths.books, fields, toKeyHeader(key)),
    writeBatch: (batch: Partial<Batch>, key = 'batch') =>
      call(
        'POST',
        paths.batch,
        { add: [], update: [], remove: [], ...batch },
        { [idempotencyKeyHeader]: key },
      ),
    update: (id: string, fields: unknown, key?: string) =>
      call('PATCH', paths.book(id), fields, toKeyHeader(key)),
    restore: (id: string, fields: unknown, key?: string) =>
      call('PUT', paths.book(id), fields, toKeyHeader(key)),
    remove: (id: string, key?: string) => call('DELETE', paths.book(id), undefined, toKeyHeader(key)),
    /** Opens the stream of changes. */
    async openChangeStream({ since, lastEventId }: { since?: number; lastEventId?: number } = {}) {
      const query = since === undefined ? '' : `?since=${since}`
      const headers: Record<string, string> =
        lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }
      const response = await request('GET', paths.changes + query, undefined, headers)
      return { status: response.status, headers: response.headers, ...readEvents(response) }
    },
  }
}

const toKeyHeader = (key: string | undefined) =>
  key === undefined ? undefined : { [idempotencyKeyHeader]: key }

type RequestArguments = Parameters<typeof sendRequest> extends [string, ...infer Rest] ? Rest : never

/** What a test does with a server that is somewhere. */
export const withClients = <Server extends { url: string; invite?(email: string): Promise<string> }>(
  server: Server,
) =>
  Object.assign(server, {
    /** A client without a session, or with that of a cookie. */
    connect: (cookie?: string) => createTestClient(server.url, cookie),
    /** Sends a request as it is, without a client. */
    send: (...request: RequestArguments) => sendRequest(server.url, ...request),
    /** Opens a connection and sends the text as it is. */
    open: (text: string) => openConnection(server.url, text),
    /** A client that has signed up, if necessary with an invitation, and in. */
    signIn: async (email = 'ada@example.com') =>
      createSignedInClient(server.url, email, await server.invite?.(email)),
  })

/** A server that is starting, and a client that has signed up and in there. */
export async function signInAt<Server extends { signIn(): Promise<TestClient> }>(starting: Promise<Server>) {
  const server = await starting
  return { server, client: await server.signIn() }
}

/** Signs up and in. */
export async function createSignedInClient(
  url: string,
  email = 'ada@example.com',
  invitation?: string,
): Promise<TestClient> {
  const client = createTestClient(url)
  await client.signUp(email, password, invitation)
  const { status } = await client.signIn(email)
  if (status !== 200) throw new Error(`Signing in as ${email} returned ${status}.`)
  return client
}

export interface StreamEvent {
  id?: number
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary events
  data: any
}

function readEvents(response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const readMore = async () => {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) return false
    text += value
    return true
  }
  return {
    /** Returns the next event, skipping comments; undefined at the end of the stream. */
    async next(): Promise<StreamEvent | undefined> {
      for (;;) {
        const end = text.indexOf('\n\n')
        const block = text.slice(0, Math.max(end, 0))
        if (end >= 0) text = text.slice(end + 2)
        if (block && !block.startsWith(':')) return parseEvent(block)
        if (end < 0 && !(await readMore())) return
      }
    },
    /** Waits for the first bytes and returns everything received so far. */
    async readFirst(): Promise<string> {
      await readMore()
      return text
    },
    close: () => reader?.cancel(),
  }
}

function parseEvent(block: string): StreamEvent {
  const lines = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)))
  return {
    ...(lines.id === undefined ? {} : { id: Number(lines.id) }),
    event: String(lines.event),
    data: JSON.parse(String(lines.data)),
  }
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
