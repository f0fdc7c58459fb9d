import { Agent, request } from 'node:http'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mapFields } from '../../contract/employees.ts'
import { passkeyPaths } from '../../contract/passkeys.ts'
import { paths } from '../../contract/protocol.ts'
import { createFolder } from '../support/cleanup.ts'
import { residentMegabytes, startUnlimitedServerInTempDir } from '../support/faults/unlimited-server.ts'
import { isNightly } from '../support/nightly.ts'
import { timeouts } from '../support/timeouts.ts'

/** Behind a proxy, or for clients on this machine only. */
const deployments = ['proxy', 'local'] as const
type Deployment = (typeof deployments)[number]
/** A file next to the page's folder, which must not be served. */
const outsideFile = 'outside.txt'
const secret = 'content that no response may contain'
/** Differs between deployments. */
const requestCount = isNightly ? 50_000 : 1_000

const oneOf = (words: string) => fc.constantFrom(...words.split(' '))

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.constantFrom('', ' ', '\0', "'; DROP TABLE books; --", '\ud800'),
  oneOf('../.. %2e%2e <script> __proto__ a@b.c'),
  fc.string({ minLength: 9_990, maxLength: 10_010 }),
)
const value = fc.oneof({ weight: 3, arbitrary: text }, fc.jsonValue({ maxDepth: 3 }))
const record = fc.record({ ...mapFields(() => text), email: fc.constantFrom('a@b.c', 'none') })
const fields = fc.oneof(
  record,
  fc.record(
    mapFields(() => value),
    { requiredKeys: [] },
  ),
  fc.record({ email: value, password: value }),
  fc.record({ password: value, newPassword: value }),
  fc.record({ add: fc.array(record, { maxLength: 3 }), update: fc.jsonValue(), remove: fc.array(value) }),
  fc.jsonValue(),
)
const body = fc.oneof(
  { weight: 6, arbitrary: fields.map((value) => JSON.stringify(value)) },
  fc.string({ unit: 'binary', maxLength: 200 }),
  oneOf(' { [[[[ {"__proto__":{"x":1}} {"constructor":{"prototype":{}}} null 1e999'),
  fc.constantFrom('['.repeat(20_000), ' '.repeat(300_000)),
)
const encodedText = text.map((text) => encodeURIComponent(text.toWellFormed()))
const id = fc.oneof(fc.stringMatching(/^[\w-]{1,70}$/), encodedText)
/** Paths to the page, to its files, or out of its folder. */
const arbitraryPagePath = fc.oneof(
  oneOf('/ /form /index.html /assets/main-abc.js'),
  fc
    .array(
      oneOf(
        `/ \\ %2f %5c %00 % %ff # ; ? . .. %2e %252e api API form .git .env assets main-abc.js .map .br index.html ${outsideFile}`,
      ),
      { maxLength: 6 },
    )
    .map((parts) => `/${parts.join('')}`),
)
const path = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...Object.values({ ...paths, ...passkeyPaths }).filter((path) => typeof path === 'string'),
    ),
  },
  { weight: 3, arbitrary: id.map((id) => `${paths.books}/${id}`) },
  oneOf('/ /form /healthz /readyz /api /api/ // /% /%00 /.. /.git/config'),
  encodedText.map((text) => `/${text}`),
  { weight: 2, arbitrary: arbitraryPagePath },
  encodedText.map((text) => `${paths.changes}?since=${text}`),
)
/** Produces values that are rejected at once: rarely, so that most requests reach later checks. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 30, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const arbitraryHeaderText = fc.stringMatching(/^[ -~]{0,60}$/)
const range = fc.oneof(arbitraryHeaderText, oneOf('bytes=0-1 bytes=-1 bytes=9-1 bytes=0-0,2-3'))
/** Headers that a proxy sets. */
const forwardedHeaders = {
  'x-forwarded-for': arbitraryHeaderText,
  'x-forwarded-proto': fc.oneof(arbitraryHeaderText, fc.constantFrom('http', 'https')),
  'x-forwarded-host': fc.oneof(arbitraryHeaderText, fc.constantFrom('localhost', '[::1', 'a,b')),
  forwarded: arbitraryHeaderText,
}
const rareForwardedHeaders = Object.fromEntries(
  Object.entries(forwardedHeaders).map(([name, value]) => [name, rarely(value)]),
)
const arbitraryHeaders = (deployment: Deployment) =>
  fc.record(
    {
      'content-type': fc.oneof(
        fc.constant('application/json; charset=utf-16'),
        oneOf(' application/json text/plain x'),
      ),
      'idempotency-key': arbitraryHeaderText,
      'last-event-id': arbitraryHeaderText,
      'if-none-match': arbitraryHeaderText,
      'if-modified-since': arbitraryHeaderText,
      'accept-encoding': arbitraryHeaderText,
      origin: rarely(arbitraryHeaderText),
      'sec-fetch-site': fc.constantFrom('same-origin', 'none', 'cross-site', 'x'),
      ...(deployment === 'proxy' ? forwardedHeaders : rareForwardedHeaders),
      host: rarely(fc.constantFrom('localhost', 'evil.example', '[::1', '')),
      range,
      'content-encoding': fc.constantFrom('gzip', 'br'),
    },
    { requiredKeys: [] },
  )
const method = oneOf('GET POST PUT PATCH DELETE HEAD OPTIONS TRACE PROPFIND')
/** Requests that pass the first checks. */
const nearlyValidRequest = fc.record({
  method: fc.constantFrom('POST', 'PUT', 'PATCH'),
  path: fc.oneof(
    fc.constantFrom(paths.books, paths.accounts, paths.session, paths.batch),
    id.map(paths.book),
  ),
  headers: fc.record(
    { 'content-type': fc.constant('application/json'), 'idempotency-key': arbitraryHeaderText },
    { requiredKeys: ['content-type'] },
  ),
  body: fc.oneof(record, fields).map((value) => JSON.stringify(value)),
  signedIn: fc.constant(true),
})
const pageRequest = fc.record({
  method: fc.constantFrom('GET', 'HEAD'),
  path: arbitraryPagePath,
  headers: fc.record({ range, 'accept-encoding': fc.constantFrom('br', 'gzip', '*') }, { requiredKeys: [] }),
  body: fc.constant(''),
  signedIn: fc.boolean(),
})
const hostileRequest = (deployment: Deployment) =>
  fc.oneof(
    fc.record({ method, path, headers: arbitraryHeaders(deployment), body, signedIn: fc.boolean() }),
    { weight: 2, arbitrary: nearlyValidRequest },
    pageRequest,
  )
type HostileRequest = ReturnType<typeof hostileRequest> extends fc.Arbitrary<infer T> ? T : never

const pageFiles = {
  'dist/index.html': '<title>page</title>',
  'dist/assets/main-abc.js': 'let a',
  'dist/assets/main-abc.js.br': 'compressed',
  'dist/assets/main-abc.js.map': secret,
  'dist/.env': secret,
  [outsideFile]: secret,
}

it.each(deployments)(
  `responds to ${requestCount} hostile requests without 5xx, timeout or memory growth (deployment: %s)`,
  { timeout: timeouts.longTestMs },
  async (deployment) => {
    const server = await startUnlimitedServerInTempDir({
      PAGE: join(createFolder(pageFiles), 'dist'),
      DEPLOYMENT: deployment,
    })
    const { cookie } = await server.signIn()
    // The cookie has another name over HTTPS.
    const cookies = `${cookie}; __Host-${cookie}`
    const agent = new Agent({ keepAlive: true, maxSockets: 16 })
    const seenCounts = new Map<number | string, number>()
    const residentBefore = residentMegabytes(server)

    const property = fc.asyncProperty(
      fc.array(hostileRequest(deployment), { minLength: 20, maxLength: 20 }),
      async (batch) => {
        const responses = await Promise.all(batch.map((one) => send(server.url, agent, cookies, one)))
        for (const [i, { status, type }] of responses.entries()) {
          for (const one of [status, type]) seenCounts.set(one, (seenCounts.get(one) ?? 0) + 1)
          if (status >= 500) throw new Error(`${status} to ${JSON.stringify(batch[i])}`)
        }
      },
    )
    await fc.assert(property, { numRuns: requestCount / 20, endOnFailure: true }).catch((error) => {
      throw new Error(`The server's output: ${server.output.err || 'none'}`, { cause: error })
    })

    // Proves that the requests reach all stages.
    const expected = [200, 201, 400, 401, 403, 404, 415, 'text/html; charset=utf-8']
    expect(expected.filter((one) => !seenCounts.has(one))).toEqual([])
    expect((await fetch(server.url + paths.session, { headers: { cookie } })).status).toBe(200)
    expect(server.output.err).not.toContain('"level":50')
    const residentAfter = residentMegabytes(server)
    expect(residentAfter - residentBefore).toBeLessThan(250)
    if (isNightly) {
      console.log(
        `${requestCount} hostile requests (${deployment}):`,
        Object.fromEntries(seenCounts),
        `${residentBefore} → ${residentAfter} MB`,
      )
    }
    agent.destroy()
    expect(await server.kill('SIGTERM')).toBe(0)
  },
)

/**
 * Resolves with the status and type of the response; closes event streams at once. Rejects after a timeout, or if the
 * response contains the secret. Sends the path unchanged (`fetch` would normalize it).
 */
function send(
  url: string,
  agent: Agent,
  cookie: string,
  { method, path, headers, body, signedIn }: HostileRequest,
) {
  // A sign-out would end the session of all later requests.
  const isAuthenticated = signedIn && !(method === 'DELETE' && path.startsWith(paths.session))
  const bodyBytes = method === 'GET' || method === 'HEAD' ? undefined : Buffer.from(body)
  const { hostname, port } = new URL(url)
  let result = { status: 0, type: '' }
  return new Promise<typeof result>((resolve, reject) => {
    const clientRequest = request(
      {
        hostname,
        port,
        path,
        agent,
        method,
        timeout: timeouts.conditionMs,
        headers: {
          ...Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
          ...(isAuthenticated ? { cookie } : {}),
          ...(bodyBytes ? { 'content-length': bodyBytes.length } : {}),
        },
      },
      (response) => {
        const type = response.headers['content-type'] ?? ''
        result = { status: response.statusCode ?? 0, type }
        response.on('data', (bytes: Buffer) => {
          if (bytes.includes(secret))
            reject(new Error(`${method} ${path} returns a file outside of the page`))
        })
        response.on('close', () => resolve(result))
        if (type.startsWith('text/event-stream')) response.destroy()
      },
    )
    clientRequest.on('timeout', () => clientRequest.destroy(new Error(`no response to ${method} ${path}`)))
    // The server may close the connection while a rejected body (413, bad HTTP) is being sent. A response to headers that
    // are too large has a body even for HEAD.
    clientRequest.on('error', (error: NodeJS.ErrnoException) => {
      if (result.status > 0 || ['EPIPE', 'ECONNRESET'].includes(error.code ?? '')) resolve(result)
      else reject(error)
    })
    clientRequest.end(bodyBytes)
  })
}
