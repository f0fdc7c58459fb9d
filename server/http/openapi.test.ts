import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { createTestClient } from '../../tests/support/http-client.ts'
import { startTestServer, type TestServer } from '../../tests/support/server.ts'

// That docs/protocol.md lists exactly the registered routes is tested in server/protocol.test.ts.
const protocol = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8')
const calls = Array.from(protocol.matchAll(/^\| `([A-Z]+ \/[^`\s]*)`/gm), ([, call = '']) => call)

interface Document extends Record<string, unknown> {
  openapi: string
  paths: Record<string, Record<string, { security: object[]; responses: Record<string, object> }>>
}

let server: TestServer
let document: Document

beforeAll(async () => {
  server = await startTestServer()
  document = (await createTestClient(server.url).call('GET', '/api/openapi.json')).body
})
afterAll(() => server.stop())

it('OpenAPI: the document is valid', async () => {
  expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true })
})

it('OpenAPI: the document has exactly the routes of the server', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.sort()).toEqual(calls.toSorted())
})

it('security: exactly these routes need no session', () => {
  const open = calls.filter((call) => {
    const [method = '', path = ''] = call.split(' ')
    return document.paths[path]?.[method.toLowerCase()]?.security.length === 0
  })
  expect(open.toSorted()).toEqual(
    [
      // Signing out without a session succeeds.
      `DELETE ${paths.session}`,
      'GET /api/openapi.json',
      `GET ${paths.policy}`,
      'GET /healthz',
      'GET /readyz',
      `POST ${paths.accounts}`,
      `POST ${paths.invitationCheck}`,
      `POST ${paths.passwordReset}`,
      `POST ${paths.passwordResetCheck}`,
      `POST ${paths.session}`,
    ].toSorted(),
  )
})

it.each(calls)('OpenAPI: %s says whether it needs a session, and answers only what it says', async (call) => {
  const [method = '', path = ''] = call.split(' ')
  const operation = document.paths[path]?.[method.toLowerCase()]
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const headers = { 'idempotency-key': 'k' }
  const address = path.replace('{id}', 'some-id')
  const response = await createTestClient(server.url).call(method, address, hasBody ? {} : undefined, headers)
  const isRefused = response.status === 401 && response.body.code === 'not-signed-in'
  expect(operation?.security).toEqual(isRefused ? [{ session: [] }] : [])
  if (response.status < 400)
    expect(Object.keys(operation?.responses ?? {})).toContain(String(response.status))
})
