import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { Errors } from 'typebox/schema'
import { expect, it } from 'vitest'
import {
  colleagueSchema,
  identityPolicySchema,
  invitationInfoSchema,
  sessionInfoSchema,
  userSchema,
} from '../contract/accounts.ts'
import { batchResultSchema } from '../contract/batches.ts'
import { errorBodySchema } from '../contract/errors.ts'
import { deletedListSchema, exposedRecordsSchema, recordDetailsSchema } from '../contract/history.ts'
import { bookListSchema, changeEventSchema, conflictSchema, paths } from '../contract/protocol.ts'
import { createSignedInClient } from '../tests/support/http-client.ts'
import { ada, grace, renamed } from '../tests/support/people.ts'
import { startTestServer } from '../tests/support/server.ts'
import { createTestStorage } from '../tests/support/storage.ts'
import { createApp } from './app.ts'
import { createLinks } from './auth/links/links.ts'

const document = readFileSync(new URL('../docs/protocol.md', import.meta.url), 'utf8')

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
  const documented = Array.from(document.matchAll(/^\| `([A-Z]+ \/[^`\s]*)`/gm), ([, call = '']) =>
    call.replace('{id}', ':id'),
  )
  expect(served).toContain('GET /healthz')
  expect(documented.sort()).toEqual(served.sort())
  await app.close()
})

it('protocol: responses and events match the schemas in contract/', async () => {
  const server = await startTestServer()
  const client = await createSignedInClient(server.url)
  const { id } = (await client.add(ada)).body
  const { links: storage, accounts } = server.storage
  await createLinks({ storage, accounts }).invite(null, 'eve@example.com')
  await client.remove((await client.add(ada)).body.id)
  const { uid } = (await client.call('GET', paths.session)).body
  const batch = { add: [ada], remove: [{ id: 'other', ...grace }] }
  const stream = await client.openChangeStream({ since: 0 })
  const responses: [schema: object, body: unknown][] = [
    [identityPolicySchema, (await client.call('GET', paths.policy)).body],
    [userSchema, (await client.call('GET', paths.session)).body],
    [colleagueSchema, (await client.call('GET', paths.accounts)).body.accounts[0]],
    [sessionInfoSchema, (await client.call('GET', paths.sessions)).body.sessions[0]],
    [invitationInfoSchema, (await client.call('GET', paths.invitations)).body.invitations[0]],
    [bookListSchema, (await client.list()).body],
    [recordDetailsSchema, (await client.call('GET', paths.details)).body.details[0]],
    [deletedListSchema, (await client.call('GET', paths.deleted)).body],
    [exposedRecordsSchema, (await client.call('GET', `${paths.exposed}?account=${uid}`)).body],
    [batchResultSchema, (await client.writeBatch(batch)).body],
    [errorBodySchema, (await client.restore(id, renamed(''))).body],
    [errorBodySchema, (await client.update('missing', ada)).body],
    [
      conflictSchema,
      (await client.update(id, { ...ada, password: 'x', seen: { ...ada, password: 'y' } })).body,
    ],
    [changeEventSchema, (await stream.next())?.data],
    [changeEventSchema, (await stream.next())?.data],
  ]
  for (const [schema, body] of responses) expect([body, Errors(schema, body)]).toEqual([body, [true, []]])
  await stream.close()
})
