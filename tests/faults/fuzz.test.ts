import { Agent, request } from 'node:http'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { signedIn } from '../../server/testing-client.ts'
import { patience } from '../patience.ts'
import { isLong } from './length.ts'
import { startUnlimited } from './unlimited-server.ts'

const requests = isLong ? 100_000 : 2_000
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
  text.map((text) => `${paths.changes}?since=${encodeURIComponentSafely(text)}`),
)
/** Refused before anything is looked at: often enough to be met, seldom enough not to keep the others out. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 30, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const headerText = fc.stringMatching(/^[ -~]{0,60}$/)
const headers = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'application/json; charset=utf-16',
      'text/plain',
      'x',
      '',
    ),
    'idempotency-key': headerText,
    'last-event-id': headerText,
    'if-none-match': headerText,
    'accept-encoding': headerText,
    origin: seldom(headerText),
    'sec-fetch-site': fc.constantFrom('same-origin', 'none', 'cross-site', 'x'),
    'x-forwarded-for': headerText,
    'x-forwarded-proto': headerText,
    host: seldom(fc.constantFrom('localhost', 'evil.example', '[::1', '')),
    range: headerText,
    expect: seldom(fc.constant('x')),
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
const nearlyRight = fc.record({
  method: fc.constantFrom('POST', 'PUT', 'PATCH'),
  path: fc.oneof(
    fc.constantFrom(paths.books, paths.accounts, paths.session, paths.batch),
    id.map(paths.book),
  ),
  headers: fc.record({ 'content-type': fc.constant('application/json'), 'idempotency-key': headerText }),
  body: fields.map((value) => JSON.stringify(value)),
  signedIn: fc.constant(true),
})
const anything = fc.record({ method, path, headers, body, signedIn: fc.boolean() })
const hostile = fc.oneof(anything, nearlyRight)
type Hostile = typeof hostile extends fc.Arbitrary<infer T> ? T : never

it(`issue 3, security: ${requests} hostile requests get no 5xx and no silence, and take no memory (seed ${seed})`, {
  timeout: 30 * 60_000,
}, async () => {
  const server = await startUnlimited()
  const { cookie } = await signedIn(server.url)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const statuses = new Map<number, number>()
  const residentBefore = await server.residentMegabytes()

  const property = fc.asyncProperty(fc.array(hostile, { minLength: 20, maxLength: 20 }), async (batch) => {
    const answers = await Promise.all(batch.map((one) => send(server.url, agent, cookie, one)))
    for (const [i, status] of answers.entries()) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status >= 500) throw new Error(`${status} to ${JSON.stringify(batch[i])}`)
    }
  })
  await fc.assert(property, { seed, numRuns: requests / 20, endOnFailure: true }).catch((error) => {
    throw new Error(`The server's last words: ${server.output.err || 'none'}`, { cause: error })
  })

  // All of them were met: a fuzzer that never gets in proves nothing.
  const wanted = [200, 201, 400, 401, 403, 404, 415]
  expect(wanted.filter((status) => !statuses.has(status))).toEqual([])
  expect((await fetch(server.url + paths.session, { headers: { cookie } })).status).toBe(200)
  expect(server.output.err).not.toContain('"level":50')
  const residentAfter = await server.residentMegabytes()
  expect(residentAfter - residentBefore).toBeLessThan(250)
  if (isLong) {
    console.log(
      `${requests} hostile requests:`,
      Object.fromEntries(statuses),
      `${residentBefore} → ${residentAfter} MB`,
    )
  }
  agent.destroy()
  expect(await server.kill('SIGTERM')).toBe(0)
  server.removeFolder()
})

/** The answer's status; a stream is left as soon as it begins. Rejects where no answer comes in time. */
function send(url: string, agent: Agent, cookie: string, { method, path, headers, body, signedIn }: Hostile) {
  // Signing out would make strangers of all that follow.
  const asSelf = signedIn && !(method === 'DELETE' && path.startsWith(paths.session))
  const sent = method === 'GET' || method === 'HEAD' ? undefined : Buffer.from(body)
  return new Promise<number>((resolve, reject) => {
    const sending = request(
      url + path,
      {
        agent,
        method,
        timeout: patience.condition,
        headers: {
          ...Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
          ...(asSelf ? { cookie } : {}),
          ...(sent ? { 'content-length': sent.length } : {}),
        },
      },
      (response) => {
        resolve(response.statusCode ?? 0)
        if (response.headers['content-type']?.startsWith('text/event-stream')) response.destroy()
        else response.resume()
      },
    )
    sending.on('timeout', () => sending.destroy(new Error(`no answer to ${method} ${path}`)))
    // A body that is refused unread (413, bad HTTP) may break the line under the sender's hands.
    sending.on('error', (error: NodeJS.ErrnoException) => {
      if (['EPIPE', 'ECONNRESET'].includes(error.code ?? '')) resolve(0)
      else reject(error)
    })
    sending.end(sent)
  })
}

function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
