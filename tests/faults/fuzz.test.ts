import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { isLongRun } from '../support/faults/long-run.ts'
import { startUnlimitedServerInTempDir } from '../support/faults/unlimited-server.ts'
import { createSignedInClient } from '../support/http-client.ts'
import { timeouts } from '../support/timeouts.ts'

/** Where the server stands: behind a proxy, or for its own machine alone. */
const deployments = ['proxy', 'local'] as const
type Deployment = (typeof deployments)[number]
/** Lies beside the page's folder. */
const outsideFile = 'outside.txt'
const secret = 'what no answer may hold'
/** At each door. */
const requestCount = isLongRun ? 50_000 : 2_000
const seed = Number(process.env.SEED ?? 20261120)

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '../..',
    '%2e%2e',
    "'; DROP TABLE books; --",
    '<script>',
    '__proto__',
    '\ud800',
    'a@b.c',
  ),
  fc.string({ minLength: 9_990, maxLength: 10_010 }),
)
const value = fc.oneof({ weight: 3, arbitrary: text }, fc.jsonValue({ maxDepth: 3 }))
const record = fc.record({ eName: text, email: fc.constantFrom('a@b.c', 'none'), password: text })
const fields = fc.oneof(
  record,
  fc.record({ eName: value, email: value, password: value }, { requiredKeys: [] }),
  fc.record({ email: value, password: value }),
  fc.record({ password: value, newPassword: value }),
  fc.record({ add: fc.array(record, { maxLength: 3 }), update: fc.jsonValue(), remove: fc.array(value) }),
  fc.jsonValue(),
)
const body = fc.oneof(
  { weight: 6, arbitrary: fields.map((value) => JSON.stringify(value)) },
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom(
    '',
    '{',
    '[[[[',
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{}}}',
    'null',
    '1e999',
  ),
  fc.constantFrom('['.repeat(20_000), ' '.repeat(300_000)),
)
const id = fc.oneof(fc.stringMatching(/^[\w-]{1,70}$/), text.map(encodeURIComponentSafely))
/** What leads to the page, to its files, or out of its folder. */
const arbitraryPagePath = fc.oneof(
  fc.constantFrom('/', '/form', '/index.html', '/assets/main-abc.js'),
  fc
    .array(
      fc.constantFrom(
        ...[
          '/',
          '\\',
          '%2f',
          '%5c',
          '%00',
          '%',
          '%ff',
          '#',
          ';',
          '?',
          '.',
          '..',
          '%2e',
          '%252e',
          'api',
          'API',
        ],
        ...['form', '.git', '.env', 'assets', 'main-abc.js', '.map', '.br', 'index.html', outsideFile],
      ),
      { maxLength: 6 },
    )
    .map((parts) => `/${parts.join('')}`),
)
const path = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(...Object.values(paths).filter((path) => typeof path === 'string')),
  },
  { weight: 3, arbitrary: id.map((id) => `${paths.books}/${id}`) },
  fc.constantFrom(
    '/',
    '/form',
    '/healthz',
    '/readyz',
    '/api',
    '/api/',
    '//',
    '/%',
    '/%00',
    '/..',
    '/.git/config',
  ),
  text.map((text) => `/${encodeURIComponentSafely(text)}`),
  { weight: 2, arbitrary: arbitraryPagePath },
  text.map((text) => `${paths.changes}?since=${encodeURIComponentSafely(text)}`),
)
/** Refused before anything is looked at: often enough to be met, seldom enough not to keep the others out. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 30, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const arbitraryHeaderText = fc.stringMatching(/^[ -~]{0,60}$/)
const range = fc.oneof(
  arbitraryHeaderText,
  fc.constantFrom('bytes=0-1', 'bytes=-1', 'bytes=9-1', 'bytes=0-0,2-3'),
)
/** What a proxy hands on. */
const forwardedHeaders = {
  'x-forwarded-for': arbitraryHeaderText,
  'x-forwarded-proto': fc.oneof(arbitraryHeaderText, fc.constantFrom('http', 'https')),
  'x-forwarded-host': fc.oneof(arbitraryHeaderText, fc.constantFrom('localhost', '[::1', 'a,b')),
  forwarded: arbitraryHeaderText,
}
const rareForwardedHeaders = Object.fromEntries(
  Object.entries(forwardedHeaders).map(([name, value]) => [name, rarely(value)]),
)
const arbitraryHeaders = (door: Deployment) =>
  fc.record(
    {
      'content-type': fc.constantFrom(
        'application/json',
        'application/json; charset=utf-16',
        'text/plain',
        'x',
        '',
      ),
      'idempotency-key': arbitraryHeaderText,
      'last-event-id': arbitraryHeaderText,
      'if-none-match': arbitraryHeaderText,
      'if-modified-since': arbitraryHeaderText,
      'accept-encoding': arbitraryHeaderText,
      origin: rarely(arbitraryHeaderText),
      'sec-fetch-site': fc.constantFrom('same-origin', 'none', 'cross-site', 'x'),
      ...(door === 'proxy' ? forwardedHeaders : rareForwardedHeaders),
      host: rarely(fc.constantFrom('localhost', 'evil.example', '[::1', '')),
      range,
      'content-encoding': fc.constantFrom('gzip', 'br'),
    },
    { requiredKeys: [] },
  )
const method = fc.constantFrom(
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
)
/** Anything at all is refused at the door; what is nearly right gets further in. */
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
const hostileRequest = (door: Deployment) =>
  fc.oneof(
    fc.record({ method, path, headers: arbitraryHeaders(door), body, signedIn: fc.boolean() }),
    { weight: 2, arbitrary: nearlyValidRequest },
    pageRequest,
  )
type HostileRequest = ReturnType<typeof hostileRequest> extends fc.Arbitrary<infer T> ? T : never

let page: string
beforeAll(() => {
  page = join(mkdtempSync(join(tmpdir(), 'staffbook-page-')), 'dist')
  mkdirSync(join(page, 'assets'), { recursive: true })
  writeFileSync(join(page, 'index.html'), '<title>page</title>')
  writeFileSync(join(page, 'assets', 'main-abc.js'), 'let a')
  writeFileSync(join(page, 'assets', 'main-abc.js.br'), 'compressed')
  for (const file of ['.env', 'assets/main-abc.js.map', `../${outsideFile}`])
    writeFileSync(join(page, file), secret)
})
afterAll(() => rmSync(dirname(page), { recursive: true }))

it.each(deployments)(
  `security: ${requestCount} hostile requests get no 5xx and no silence, and take no memory (door: %s, seed ${seed})`,
  {
    timeout: 30 * 60_000,
  },
  async (door) => {
    const server = await startUnlimitedServerInTempDir({ PAGE: page, DOOR: door })
    const { cookie } = await createSignedInClient(server.url)
    // The second is the name of the cookie over HTTPS.
    const cookies = `${cookie}; __Host-${cookie}`
    const agent = new Agent({ keepAlive: true, maxSockets: 16 })
    const seenCounts = new Map<number | string, number>()
    const residentBefore = await server.residentMegabytes()

    const property = fc.asyncProperty(
      fc.array(hostileRequest(door), { minLength: 20, maxLength: 20 }),
      async (batch) => {
        const answers = await Promise.all(batch.map((one) => send(server.url, agent, cookies, one)))
        for (const [i, { status, type }] of answers.entries()) {
          for (const one of [status, type]) seenCounts.set(one, (seenCounts.get(one) ?? 0) + 1)
          if (status >= 500) throw new Error(`${status} to ${JSON.stringify(batch[i])}`)
        }
      },
    )
    await fc.assert(property, { seed, numRuns: requestCount / 20, endOnFailure: true }).catch((error) => {
      throw new Error(`The server's last words: ${server.output.err || 'none'}`, { cause: error })
    })

    // All of them were met: a fuzzer that never gets in proves nothing.
    const wanted = [200, 201, 206, 400, 401, 403, 404, 415, 'text/html; charset=utf-8']
    expect(wanted.filter((one) => !seenCounts.has(one))).toEqual([])
    expect((await fetch(server.url + paths.session, { headers: { cookie } })).status).toBe(200)
    expect(server.output.err).not.toContain('"level":50')
    const residentAfter = await server.residentMegabytes()
    expect(residentAfter - residentBefore).toBeLessThan(250)
    if (isLongRun) {
      console.log(
        `${requestCount} hostile requests (${door}):`,
        Object.fromEntries(seenCounts),
        `${residentBefore} → ${residentAfter} MB`,
      )
    }
    agent.destroy()
    expect(await server.kill('SIGTERM')).toBe(0)
    server.removeFolder()
  },
)

/**
 * The answer's status and type; a stream is left as soon as it begins. Rejects where no answer comes in time, or one that
 * holds what lies outside the page. The path is sent as it is: a URL would be put in order first.
 */
function send(
  url: string,
  agent: Agent,
  cookie: string,
  { method, path, headers, body, signedIn }: HostileRequest,
) {
  // Signing out would make strangers of all that follow.
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
          if (bytes.includes(secret)) reject(new Error(`${method} ${path} tells what lies outside the page`))
        })
        response.on('close', () => resolve(result))
        if (type.startsWith('text/event-stream')) response.destroy()
      },
    )
    clientRequest.on('timeout', () => clientRequest.destroy(new Error(`no answer to ${method} ${path}`)))
    // A body that is refused unread (413, bad HTTP) may break the line under the sender's hands, and headers too large to
    // be read are answered with a body also where they were those of a HEAD.
    clientRequest.on('error', (error: NodeJS.ErrnoException) => {
      if (result.status > 0 || ['EPIPE', 'ECONNRESET'].includes(error.code ?? '')) resolve(result)
      else reject(error)
    })
    clientRequest.end(bodyBytes)
  })
}

function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
