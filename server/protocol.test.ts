import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { expect, it } from 'vitest'
import { createTestStorage } from '../tests/support/storage.ts'
import { createApp } from './app.ts'

const document = readFileSync(new URL('../docs/protocol.md', import.meta.url), 'utf8')

it('protocol: docs/protocol.md tells of every call there is, and of no other', async () => {
  const testStorage = await createTestStorage()
  const storage = await testStorage.open()
  const served: string[] = []
  // The framework tells of each instance as it is made: before the first route.
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) if (one !== 'HEAD') served.push(`${one} ${url}`)
    })
  }
  subscribe('fastify.initialization', listen)
  const app = await createApp({ storage, signUp: { mode: 'open' } })
  unsubscribe('fastify.initialization', listen)
  await app.ready()
  const documented = Array.from(document.matchAll(/^\| `([A-Z]+ \/[^`\s]*)`/gm), ([, call = '']) =>
    call.replace('{id}', ':id'),
  )
  expect(served).toContain('GET /healthz')
  expect(documented.sort()).toEqual(served.sort())
  await app.close()
  await storage.close()
  await testStorage.remove()
})
