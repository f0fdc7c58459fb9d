import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { expect, it } from 'vitest'
import { makePlace } from '../tests/support/storage.ts'
import { createApp } from './app.ts'

const document = readFileSync(new URL('../docs/protocol.md', import.meta.url), 'utf8')

it('protocol: docs/protocol.md tells of every call there is, and of no other', async () => {
  const place = await makePlace()
  const storage = await place.open()
  const answered: string[] = []
  // The framework tells of each instance as it is made: before the first route.
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) if (one !== 'HEAD') answered.push(`${one} ${url}`)
    })
  }
  subscribe('fastify.initialization', listen)
  const app = await createApp({ storage, signUp: { mode: 'open' } })
  unsubscribe('fastify.initialization', listen)
  await app.ready()
  const told = Array.from(document.matchAll(/^\| `([A-Z]+ \/[^`\s]*)`/gm), ([, call = '']) =>
    call.replace('{id}', ':id'),
  )
  expect(answered).toContain('GET /healthz')
  expect(told.sort()).toEqual(answered.sort())
  await app.close()
  await storage.close()
  await place.remove()
})
