import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FastifyInstance, fastify } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../process/logger.ts'
import { createBodyQueue } from './body-queue.ts'
import { installErrorHandler } from './error-handler.ts'

describe('import: what is taken in at a time', () => {
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
    installErrorHandler(app, silentLogger)
    app.addHook('onRequest', async (_request, reply) => {
      startedCount += 1
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished || reply.statusCode === 503) closedCount += 1
      })
    })
    app.post(
      '/',
      { bodyLimit: 400, preParsing: createBodyQueue({ maxConcurrent: 2, maxBytes: 1000 }) },
      async ({ body }) => {
        await new Promise<void>((resolve) => pendingHandlers.push(resolve))
        return String(body).length + 2
      },
    )
    await app.listen({ port: 0, host: '127.0.0.1' })
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  })
  afterEach(() => app.close())

  async function send(length: number) {
    const body = JSON.stringify('x'.repeat(length - 2))
    const headers = { 'content-type': 'application/json' }
    return (await (await fetch(url, { method: 'POST', headers, body })).json()) as unknown
  }

  /** Sends the beginning of a body of 399 bytes, or all of it; `leave` breaks the line. */
  function startRequest(length: number) {
    const headers = { 'content-type': 'application/json', 'content-length': 399 }
    const sending = request(url, { method: 'POST', headers, agent: false })
    sending.on('error', () => {})
    sending.write('x'.repeat(length))
    return {
      status: once(sending, 'response').then(([{ statusCode }]) => statusCode),
      leave: () => sending.destroy(),
    }
  }

  it('two go on, the others wait for their turn, and each is answered', async () => {
    const answers = Promise.all([send(10), send(11), send(12), send(13), send(14)])
    for (let answered = 0; answered < 5; answered += 1) {
      await expect.poll(() => pendingHandlers.length).toBe(Math.min(2, 5 - answered))
      pendingHandlers.shift()?.()
    }
    expect(await answers).toEqual([10, 11, 12, 13, 14])
  })

  it('senders that are gone before their turn take none', async () => {
    const first = [send(10), send(11)]
    await expect.poll(() => pendingHandlers.length).toBe(2)
    const impatient = [startRequest(399), startRequest(399)]
    for (const { status } of impatient) status.catch(() => 'gone')
    await expect.poll(() => startedCount).toBe(4)
    for (const { leave } of impatient) leave()
    await expect.poll(() => closedCount).toBe(2)
    const last = [send(12), send(13)]
    for (const end of pendingHandlers.splice(0)) end()
    await expect.poll(() => pendingHandlers.length).toBe(2)
    for (const end of pendingHandlers.splice(0)) end()
    expect(await Promise.all([...first, ...last])).toEqual([10, 11, 12, 13])
  })

  it('more bytes than may be held are refused as busy, until some are gone', async () => {
    const slow = [startRequest(390), startRequest(390), startRequest(390)]
    for (const { status } of slow) status.catch(() => 'gone')
    expect(await Promise.race(slow.map(({ status }) => status))).toBe(503)
    for (const { leave } of slow) leave()
    await expect.poll(() => closedCount).toBe(3)
    const answer = send(300)
    await expect.poll(() => pendingHandlers.length).toBe(1)
    pendingHandlers.shift()?.()
    expect(await answer).toBe(300)
  })

  it('a body beyond the limit of the route is refused', async () => {
    expect(await send(401)).toMatchObject({ code: 'too-large' })
  })
})
