import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { FastifyInstance } from 'fastify'
import { Errors } from 'typebox/schema'
import { beforeAll, expect, it } from 'vitest'
import * as accounts from '../contract/accounts.ts'
import { batchResultSchema } from '../contract/batches.ts'
import { errorBodySchema } from '../contract/errors.ts'
import * as handovers from '../contract/handovers.ts'
import * as history from '../contract/history.ts'
import { passkeyListSchema, passkeyPaths } from '../contract/passkeys.ts'
import { bookListSchema, changeEventSchema, conflictSchema, paths } from '../contract/protocol.ts'
import { password, signInAt } from '../tests/support/http-client.ts'
import { ada, grace, renamed } from '../tests/support/people.ts'
import { provideServer } from '../tests/support/provide-server.ts'
import { startTestServer } from '../tests/support/server.ts'
import { createTestStorage } from '../tests/support/storage.ts'
import { createApp } from './app.ts'

const document = readFileSync(new URL('../docs/protocol.md', import.meta.url), 'utf8')
const documented = Array.from(document.matchAll(/^\| `([A-Z]+ \/[^`\s]*)`/gm), ([, call = '']) => call)

it('protocol: docs/protocol.md lists exactly the routes of the server', async () => {
  const testStorage = await createTestStorage()
  const storage = await testStorage.open()
  const served: string[] = []
  // Fastify announces each instance when it is created, before the first route is added.
  const recordRoutes = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) if (one !== 'HEAD') served.push(`${one} ${url}`)
    })
  }
  subscribe('fastify.initialization', recordRoutes)
  const app = await createApp({ storage, signUp: 'open' })
  unsubscribe('fastify.initialization', recordRoutes)
  await app.ready()
  expect(served).toContain('GET /healthz')
  expect(documented.map((call) => call.replaceAll(/{(\w+)}/g, ':$1')).sort()).toEqual(served.sort())
  await app.close()
})

it('protocol: responses and events match the schemas in contract/', async () => {
  const { server, client } = await signInAt(startTestServer())
  const { id } = (await client.add(ada)).body
  await client.update(id, { ...ada, password: 'x' })
  await client.update(id, ada)
  await server.links.invite(null, 'eve@example.com')
  const handover = { record: id, seen: ada, sealed: 'x' }
  const { token } = (await client.post(paths.handovers, handover)).body
  await client.remove((await client.add(ada)).body.id)
  const uid = await client.uid()
  await server.connect().signUp('bob@example.com')
  const bob = (await client.get(paths.accounts)).body.accounts[1]
  const batch = { add: [ada], remove: [{ id: 'other', ...grace }] }
  const stream = await client.openChangeStream({ since: 0 })
  const get = async (path: string) => (await client.get(path)).body
  const differing = { ...ada, password: 'x', seen: { ...ada, password: 'y' } }
  const responses: [schema: object, body: unknown][] = [
    [accounts.identityPolicySchema, await get(paths.policy)],
    [accounts.userSchema, await get(paths.session)],
    [accounts.resetLinkSchema, (await client.post(paths.accountResetLink(bob.id), { password })).body],
    [accounts.signedInSchema, (await server.connect().signIn(bob.email)).body],
    [{ const: '' }, (await client.put(paths.accountRemoval(bob.id), { password })).body],
    ...(await get(paths.accounts)).accounts.map((each: unknown) => [accounts.colleagueSchema, each]),
    [accounts.sessionInfoSchema, (await get(paths.sessions)).sessions[0]],
    [passkeyListSchema, await get(passkeyPaths.passkeys)],
    [accounts.invitationInfoSchema, (await get(paths.invitations)).invitations[0]],
    [handovers.handoverInfoSchema, (await get(paths.handovers)).handovers[0]],
    [handovers.createdSheetSchema, (await client.post(paths.sheets, { handovers: [handover] })).body],
    [handovers.sheetInfoSchema, (await get(paths.sheets)).sheets[0]],
    [handovers.takenHandoverSchema, (await client.post(paths.handoverTake, { token })).body],
    [bookListSchema, await get(paths.books)],
    [history.recordDetailsSchema, (await get(`${paths.details}?ids=${id}`)).details[0]],
    [history.deletedListSchema, await get(paths.deleted)],
    [history.exposedRecordsSchema, await get(`${paths.exposed}?account=${uid}`)],
    [batchResultSchema, (await client.writeBatch(batch)).body],
    [errorBodySchema, (await client.restore(id, renamed(''))).body],
    [errorBodySchema, (await client.update('missing', ada)).body],
    [conflictSchema, (await client.update(id, differing)).body],
    [history.previousPasswordSchema, (await get(paths.previousPasswords(id))).passwords[0]],
    [changeEventSchema, (await stream.next())?.data],
    [changeEventSchema, (await stream.next())?.data],
  ]
  for (const [schema, body] of responses) expect([body, Errors(schema, body)]).toEqual([body, [true, []]])
})

interface Document extends Record<string, unknown> {
  openapi: string
  paths: Record<string, Record<string, { security: object[]; responses: Record<string, object> }>>
}

const server = provideServer()
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
