import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { Errors } from 'typebox/schema'
import { beforeAll, expect, it, vi } from 'vitest'
import type { SessionInfo } from '../contract/accounts.ts'
import { errorBodySchema } from '../contract/errors.ts'
import { ssoPaths } from '../contract/identity/sso.ts'
import { passkeyPaths } from '../contract/passkeys.ts'
import { changeEventSchema, paths } from '../contract/protocol.ts'
import {
  addPasskey,
  createAuthenticator,
  publicUrl,
  signChallenge,
  signInWith,
} from '../tests/support/authenticator.ts'
import { password, type StreamEvent, signInAt, type TestClient } from '../tests/support/http-client.ts'
import { ada, grace, renamed } from '../tests/support/people.ts'
import { provideServer } from '../tests/support/provide-server.ts'
import { startTestServer, type TestServer } from '../tests/support/server.ts'
import { settingsFor } from '../tests/support/sso/real-provider.ts'
import { createTestStorage } from '../tests/support/storage.ts'
import { createApp } from './app.ts'
import { noContent } from './http/openapi.ts'

const document = readFileSync(new URL('../docs/protocol.md', import.meta.url), 'utf8')
/** Nobody is there. */
const sso = settingsFor('http://127.0.0.1:1')
const documented = Array.from(document.matchAll(/^\| `([A-Z]+ \/[^`\s]*)`/gm), ([, call = '']) => call)

/** Records the routes of the servers that are created until `stop`. */
function recordRoutes() {
  const routes: RouteOptions[] = []
  // Fastify announces each instance when it is created, before the first route is added.
  const record = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', (route) => {
      for (const method of [route.method].flat()) if (method !== 'HEAD') routes.push({ ...route, method })
    })
  }
  subscribe('fastify.initialization', record)
  return { routes, stop: () => unsubscribe('fastify.initialization', record) }
}

it('protocol: docs/protocol.md lists exactly the routes of the server', async () => {
  const testStorage = await createTestStorage()
  const storage = await testStorage.open()
  const { routes, stop } = recordRoutes()
  const app = await createApp({ storage, signUp: 'open', sso })
  stop()
  await app.ready()
  const served = routes.map(({ method, url }) => `${method} ${url}`)
  expect(served).toContain('GET /healthz')
  expect(documented.map((call) => call.replaceAll(/{(\w+)}/g, ':$1')).sort()).toEqual(served.sort())
  await app.close()
})

/** A route as Fastify has it, and whether an address and a method are of it. */
function toMatcher({ method, url, schema }: RouteOptions) {
  const pattern = new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`)
  return {
    call: `${method} ${url}`,
    responses: (schema?.response ?? { 204: noContent }) as Record<string, object>,
    isOf: (request: string, path: string) => request === method && pattern.test(path),
  }
}

/** Records each response that a server of this test gives, with its route. Event streams are recorded without their events. */
function recordResponses(routes: readonly RouteOptions[]) {
  // Paths without parameters first.
  const matchers = routes.toSorted((a, b) => a.url.split(':').length - b.url.split(':').length).map(toMatcher)
  const responses: { call: string; status: number; schema: object | undefined; body: unknown }[] = []
  const { fetch } = globalThis
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (address, init) => {
    const response = await fetch(address, init)
    const { pathname } = new URL(String(address))
    const route = matchers.find(({ isOf }) => isOf(init?.method ?? 'GET', pathname))
    if (!route) throw new Error(`${init?.method} ${pathname} is of no route.`)
    const { call, responses: described } = route
    const { status } = response
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    const text = isStream ? '' : await response.clone().text()
    const schema = described[status] ?? (status >= 400 ? errorBodySchema : undefined)
    responses.push({ call, status, schema: isStream ? noContent : schema, body: text && JSON.parse(text) })
    return response
  })
  return responses
}

it('protocol: every route answers as its schema says, and its events are as contract/ says', async () => {
  const { routes, stop } = recordRoutes()
  const { server, client: ada } = await signInAt(startTestServer({ publicUrl, signUp: 'invited' }))
  stop()
  const responses = recordResponses(routes)
  const stream = await callRecordRoutes(ada)
  await callAccountRoutes(server, ada)
  for (const path of [paths.policy, '/api/openapi.json', '/healthz', '/readyz']) await ada.get(path)

  for (const { call, status, schema, body } of responses) {
    if (schema === noContent) expect([call, status, body]).toEqual([call, status, ''])
    else
      expect([call, status, body, schema && Errors(schema, body)]).toEqual([call, status, body, [true, []]])
  }
  const answered = responses.filter(({ status }) => status < 400).map(({ call }) => call)
  expect([...new Set(answered)].sort()).toEqual(routes.map(({ method, url }) => `${method} ${url}`).sort())
  for (const { data } of [await stream.next(), await stream.next()] as StreamEvent[])
    expect([data, Errors(changeEventSchema, data)]).toEqual([data, [true, []]])
})

/** Calls each route of records and of links to them, also so that it refuses. */
async function callRecordRoutes(client: TestClient) {
  const { id } = (await client.add(ada)).body
  await client.update(id, { ...ada, password: 'x' })
  await client.update(id, ada)
  await client.update('missing', ada)
  await client.update(id, { ...ada, password: 'x', seen: { ...ada, password: 'y' } })
  await client.update(id, { ...ada, seen: ada })
  await client.list()
  await client.writeBatch({ add: [ada], remove: [{ id: 'other', ...grace }] })
  const stream = await client.openChangeStream({ since: 0 })
  const [previous] = (await client.get(paths.previousPasswords(id))).body.passwords
  await client.get(paths.previousPassword(id, previous.key))
  await client.get(paths.previousPassword(id, 'unknown'))
  const handover = { record: id, seen: ada, sealed: 'x' }
  const { token, id: link } = (await client.post(paths.handovers, handover)).body
  await client.get(paths.handovers)
  await client.post(paths.handoverTake, { token })
  await client.delete(paths.handoverById(link))
  await client.delete(paths.handoverById((await client.post(paths.handovers, handover)).body.id))
  const sheet = (await client.post(paths.sheets, { handovers: [handover] })).body
  await client.get(paths.sheets)
  await client.delete(paths.sheetById(sheet.id))
  await client.post(paths.activity, { kind: 'reveal', ids: [id] })
  await client.get(paths.recordActivity(id))
  await client.get(paths.activity)
  await client.get(paths.news)
  await client.post(paths.news, { ids: ['1'] })
  await client.get(paths.details)
  await client.get(`${paths.details}?ids=${id}`)
  await client.get(`${paths.exposed}?account=${await client.uid()}`)
  await client.remove(id)
  const { documents } = (await client.get(paths.deleted)).body
  await client.post(paths.restoreDeletion, { since: documents[0].deletedAt, until: documents[0].deletedAt })
  await client.restore(id, ada)
  await client.restore(id, renamed(''))
  await client.remove(id)
  await client.post(paths.restore(id))
  return stream
}

/** Calls each route of accounts, sessions, passkeys and links to accounts. */
async function callAccountRoutes(server: TestServer, client: TestClient) {
  const { id } = (await client.post(paths.invitations, { email: 'eve@example.com' })).body
  const { token } = (await client.post(paths.invitations, {})).body
  await client.post(paths.invitationCheck, { token })
  await client.get(paths.invitations)
  await client.delete(paths.invitationById(id))
  const bob = server.connect()
  const { uid } = (await bob.signUp('bob@example.com', password, token)).body
  await bob.signUp('bob@example.com', password, token)
  const reset = (await client.post(paths.accountResetLink(uid), { password })).body
  await bob.signIn('bob@example.com')
  await client.post(paths.passwordResetCheck, { token: reset.token })
  await client.post(paths.passwordReset, { token: reset.token, newPassword: 'another horse battery' })
  await client.put(paths.accountRemoval(uid), { password })
  await client.get(paths.accounts)
  await client.delete(paths.accountRemoval(uid))

  const authenticator = createAuthenticator()
  const added = (await addPasskey(client, authenticator)).body
  await client.get(passkeyPaths.passkeys)
  const passkeyUser = server.connect()
  await signInWith(passkeyUser, await signChallenge(passkeyUser, authenticator))
  await client.delete(passkeyPaths.passkeyById(added.id))
  await client.get(paths.sessions)
  await client.put(paths.password, { password, newPassword: 'a third horse battery' })
  const other = server.connect()
  await other.signIn('ada@example.com', 'a third horse battery')
  const { sessions } = (await other.get(paths.sessions)).body
  await other.delete(paths.sessionById(sessions.find(({ current }: SessionInfo) => !current).id))
  await other.delete(`${paths.sessions}?except=current`)
  await other.delete(paths.session)
}

interface Document extends Record<string, unknown> {
  openapi: string
  paths: Record<string, Record<string, { security: object[]; responses: Record<string, object> }>>
}

const server = provideServer({ sso })
let openapi: Document

beforeAll(async () => {
  openapi = (await server.connect().get('/api/openapi.json')).body
})

it('OpenAPI: the document is valid', async () => {
  expect(await new Validator().validate(structuredClone(openapi))).toMatchObject({ valid: true })
})

it('OpenAPI: the document has exactly the routes of the server', () => {
  const described = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.sort()).toEqual(documented.toSorted())
})

it('security: exactly these routes need no session', () => {
  const open = documented.filter((call) => {
    const [method = '', path = ''] = call.split(' ')
    return openapi.paths[path]?.[method.toLowerCase()]?.security.length === 0
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
      `POST ${paths.handoverTake}`,
      `POST ${paths.invitationCheck}`,
      `POST ${paths.passwordReset}`,
      `POST ${paths.passwordResetCheck}`,
      `POST ${paths.session}`,
      `POST ${passkeyPaths.session}`,
      `POST ${passkeyPaths.sessionOptions}`,
      `POST ${ssoPaths.session}`,
      `POST ${ssoPaths.sessionOptions}`,
    ].toSorted(),
  )
})

it.each(documented)('OpenAPI: %s says if it needs a session, and answers only what it says', async (call) => {
  const [method = '', path = ''] = call.split(' ')
  const operation = openapi.paths[path]?.[method.toLowerCase()]
  const body = method === 'GET' || method === 'DELETE' ? undefined : {}
  const address = path.replace('{id}', 'some-id')
  const response = await server.connect().call(method, address, body, { 'idempotency-key': 'k' })
  const isRefused = response.status === 401 && response.body.code === 'not-signed-in'
  expect(operation?.security).toEqual(isRefused ? [{ session: [] }] : [])
  if (response.status < 400)
    expect(Object.keys(operation?.responses ?? {})).toContain(String(response.status))
})
