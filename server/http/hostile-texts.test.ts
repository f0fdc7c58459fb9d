import { expect, it } from 'vitest'
import { idempotencyKeyHeader, paths } from '../../contract/protocol.ts'
import { password } from '../../tests/support/http-client.ts'
import { sample } from '../../tests/support/sample.ts'
import { recordLog, startTestServer } from '../../tests/support/server.ts'
import { timeouts } from '../../tests/support/timeouts.ts'

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  enum?: unknown[]
  const?: unknown
  pattern?: string
}

interface Operation {
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** What databases and encodings may stumble over. The first is what PostgreSQL rejects in a text. */
const hostileTexts = [
  '\0',
  '\ud800',
  "a'b\\",
  'a\0b',
  '%',
  '\u202e',
  '__proto__',
  '9'.repeat(15),
  'x'.repeat(10_000),
]

const plainTexts = ['a', '1', 'AAAA', '2026-01-01T00:00:00Z', 'f'.repeat(64)]

/** A value that a schema allows. */
function exampleOf(schema: Schema = {}, name = ''): unknown {
  if (schema.enum) return schema.enum[0]
  const type = schema.const ?? [schema.type].flat()[0]
  const { properties = {} } = schema
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, exampleOf(each, key)]))
  if (type === 'array') return [exampleOf(schema.items, name)]
  if (type !== 'string') return type === 'integer' ? 1 : true
  if (/password/i.test(name)) return password
  if (/email/i.test(name)) return 'a@example.com'
  return plainTexts.find((text) => new RegExp(schema.pattern ?? '', 'u').test(text)) ?? 'a'
}

/** The value with each of its texts replaced, one at a time. */
function replaceTexts(value: unknown, text: string): unknown[] {
  if (typeof value === 'string') return [text]
  if (Array.isArray(value))
    return value.flatMap((item, i) => replaceTexts(item, text).map((other) => value.with(i, other)))
  return Object.entries(Object(value)).flatMap(([key, item]) =>
    replaceTexts(item, text).map((other) => ({ ...Object(value), [key]: other })),
  )
}

const encode = (text: unknown) => encodeURIComponent(String(text).toWellFormed())

const options = { tags: 'large', timeout: timeouts.longTestMs }

it('whatever text is in any place of a request, it is stored or refused', options, async () => {
  const { logger, text: readLog } = recordLog()
  const server = await startTestServer({ logger, trustProxy: ['loopback'], localOnly: false })
  const failed: unknown[] = []
  let count = 0
  let client = server.connect()

  /** Each from another address, so that none is too many. */
  async function send(method: string, path: string, body?: unknown) {
    const key = { [idempotencyKeyHeader]: `k${++count}` }
    const from = { 'x-forwarded-for': `10.0.${count >> 8}.${count & 255}` }
    const response = await client.call(
      method,
      path,
      body,
      path.startsWith(paths.books) ? { ...from, ...key } : from,
    )
    if (response.status >= 500) failed.push([method, path, body, response.body])
    return response
  }

  async function signIn() {
    client = server.connect()
    const credentials = { email: `u${count}@example.com`, password }
    await send('POST', paths.accounts, credentials)
    expect((await send('POST', paths.session, credentials)).status).toBe(200)
  }

  await signIn()
  const { body: document } = await client.get('/api/openapi.json')
  const statuses = new Set<number>()
  for (const [template, operations] of Object.entries<Record<string, Operation>>(document.paths))
    for (const [name, { parameters = [], requestBody }] of Object.entries(operations)) {
      // An event stream does not end.
      if (template === paths.changes) continue
      const { schema } = requestBody?.content['application/json'] ?? {}
      const body = schema && exampleOf(schema)
      const fill = (values: Record<string, string>) =>
        template.replace(/\{(\w+)\}/g, (_, key) => encode(values[key] ?? 'a'))
      for (const text of sample(hostileTexts, 1, { isCorner: (one) => hostileTexts.indexOf(one) < 2 })) {
        const requests = replaceTexts(body, text).map((other) => [fill({}), other] as const)
        for (const parameter of parameters) {
          const values = { [parameter.name]: text }
          if (parameter.in === 'path') requests.push([fill(values), body])
          if (parameter.in === 'query') requests.push([`${fill({})}?${parameter.name}=${encode(text)}`, body])
        }
        for (const [path, sent] of requests) {
          const { status } = await send(name.toUpperCase(), path, sent)
          statuses.add(status)
          // It has ended the session.
          if ((await client.get(paths.session)).status === 401) await signIn()
        }
      }
    }
  expect(failed).toEqual([])
  expect([200, 201, 400, 404].filter((status) => !statuses.has(status))).toEqual([])
  expect(readLog()).not.toContain('"level":50')
})
