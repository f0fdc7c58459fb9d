import { once } from 'node:events'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { type FastifyInstance, fastify } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { formatHead, openConnection } from '../../tests/support/raw-http.ts'
import { createBodyQueue, readBody } from './body-queue.ts'
import { installErrorHandler } from './error-handler.ts'

describe('the queue of large request bodies', () => {
  let app: FastifyInstance
  let url: string
  let pendingHandlers: (() => void)[]
  let startedCount: number
  let closedCount: number

  beforeEach(async () => {
    pendingHandlers = []
    startedCount = 0
    closedCount = 0
    app = fastify({ forceCloseConnections: true })
    installErrorHandler(app)
    app.addHook('onRequest', async (_request, reply) => {
      startedCount += 1
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished || reply.statusCode === 503) closedCount += 1
      })
    })
    app.get('/endless', (_request, reply) => {
      reply.hijack()
      reply.raw.write('begun')
    })
    app.post(
      '/',
      {
        bodyLimit: 400,
        ...createBodyQueue({
          maxConcurrent: 2,
          maxBytes: 1000,
          maxBytesPerOwner: 450,
          getOwner: ({ id, headers }) => String(headers.owner ?? id),
        }),
      },
      async ({ body }) => {
        await new Promise<void>((resolve) => pendingHandlers.push(resolve))
        return String(body).length + 2
      },
    )
    url = await app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterEach(() => app.close())

  async function send(length: number) {
    const body = JSON.stringify('x'.repeat(length - 2))
    const headers = { 'content-type': 'application/json' }
    return (await (await fetch(url, { method: 'POST', headers, body })).json()) as unknown
  }

  async function expectHandled(length: number) {
    const response = send(length)
    await expect.poll(() => pendingHandlers.length).toBe(1)
    pendingHandlers.shift()?.()
    expect(await response).toBe(length)
  }

  /** Sends the first `length` of 399 bytes. `abort` closes the connection. */
  function startRequest(length: number, owner?: string) {
    const headers = { 'content-type': 'application/json', 'content-length': 399, ...(owner && { owner }) }
    const sending = request(url, { method: 'POST', headers, agent: false })
    sending.on('error', () => {})
    sending.write('x'.repeat(length))
    const status = once(sending, 'response').then(([{ statusCode }]) => statusCode)
    status.catch(() => 'aborted')
    return { status, abort: () => sending.destroy() }
  }

  it('handles two requests at a time, and the others in order', async () => {
    const responses = Promise.all([send(10), send(11), send(12), send(13), send(14)])
    for (let handled = 0; handled < 5; handled += 1) {
      await expect.poll(() => pendingHandlers.length).toBe(Math.min(2, 5 - handled))
      pendingHandlers.shift()?.()
    }
    expect(await responses).toEqual([10, 11, 12, 13, 14])
  })

  it('skips requests whose client disconnected while waiting', async () => {
    const first = [send(10), send(11)]
    await expect.poll(() => pendingHandlers.length).toBe(2)
    const waiting = [startRequest(399), startRequest(399)]
    await expect.poll(() => startedCount).toBe(4)
    for (const { abort } of waiting) abort()
    await expect.poll(() => closedCount).toBe(2)
    const last = [send(12), send(13)]
    for (const end of pendingHandlers.splice(0)) end()
    await expect.poll(() => pendingHandlers.length).toBe(2)
    for (const end of pendingHandlers.splice(0)) end()
    expect(await Promise.all([...first, ...last])).toEqual([10, 11, 12, 13])
  })

  it('refuses bodies beyond the memory limit as busy until others are done', async () => {
    const slow = [startRequest(390), startRequest(390), startRequest(390)]
    expect(await Promise.race(slow.map(({ status }) => status))).toBe(503)
    for (const { abort } of slow) abort()
    await expect.poll(() => closedCount).toBe(3)
    await expectHandled(300)
  })

  it('security: refuses bodies of one owner beyond a part of the memory limit', async () => {
    const slow = [startRequest(390, 'ada'), startRequest(390, 'ada')]
    expect(await Promise.race(slow.map(({ status }) => status))).toBe(503)
    await expectHandled(300)
    for (const { abort } of slow) abort()
  })

  it('security: is left when the response is ready, also by clients that do not read it', async () => {
    const add = `${formatHead('POST', '/', { 'content-type': 'application/json', 'content-length': 2 })}""`
    // The responses wait for the end of the first one.
    openConnection(url, formatHead('GET', '/endless') + add + add)
    await expect.poll(() => pendingHandlers.length).toBe(2)
    for (const end of pendingHandlers.splice(0)) end()
    await expectHandled(10)
  })

  it('refuses a body beyond the limit of the route', async () => {
    expect(await send(401)).toMatchObject({ code: 'too-large' })
  })
})

it('security: joins small pieces of a body, because each takes far more memory than its bytes', async () => {
  const bytes = Buffer.from('0123456789'.repeat(10_000))
  let counted = 0
  const oneByOne = Readable.from([...bytes].map((byte) => Buffer.of(byte)))
  const pieces = await readBody(oneByOne, (length) => {
    counted += length
  })
  expect(pieces.length).toBeLessThan(1000)
  expect(Buffer.concat(pieces)).toEqual(bytes)
  expect(counted).toBe(bytes.length)
})

it('does not copy large pieces', async () => {
  const large = Array.from({ length: 600 }, () => Buffer.alloc(16_384))
  expect(await readBody(Readable.from(large), () => {})).toHaveLength(600)
})
