import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FastifyInstance, fastify } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silence } from '../process/logger.ts'
import { createIntake } from './body-queue.ts'
import { installErrorTable } from './error-handler.ts'

describe('import: what is taken in at a time', () => {
  let app: FastifyInstance
  let url: string
  let atWork: (() => void)[]
  let begun: number
  let gone: number

  beforeEach(async () => {
    atWork = []
    begun = 0
    gone = 0
    app = fastify({ forceCloseConnections: true })
    installErrorTable(app, silence)
    app.addHook('onRequest', async (_request, reply) => {
      begun += 1
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished || reply.statusCode === 503) gone += 1
      })
    })
    app.post(
      '/',
      { bodyLimit: 400, preParsing: createIntake({ atOnce: 2, bytes: 1000 }) },
      async ({ body }) => {
        await new Promise<void>((resolve) => atWork.push(resolve))
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
  function begin(length: number) {
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
      await expect.poll(() => atWork.length).toBe(Math.min(2, 5 - answered))
      atWork.shift()?.()
    }
    expect(await answers).toEqual([10, 11, 12, 13, 14])
  })

  it('senders that are gone before their turn take none', async () => {
    const first = [send(10), send(11)]
    await expect.poll(() => atWork.length).toBe(2)
    const impatient = [begin(399), begin(399)]
    for (const { status } of impatient) status.catch(() => 'gone')
    await expect.poll(() => begun).toBe(4)
    for (const { leave } of impatient) leave()
    await expect.poll(() => gone).toBe(2)
    const last = [send(12), send(13)]
    for (const end of atWork.splice(0)) end()
    await expect.poll(() => atWork.length).toBe(2)
    for (const end of atWork.splice(0)) end()
    expect(await Promise.all([...first, ...last])).toEqual([10, 11, 12, 13])
  })

  it('more bytes than may be held are refused as busy, until some are gone', async () => {
    const slow = [begin(390), begin(390), begin(390)]
    for (const { status } of slow) status.catch(() => 'gone')
    expect(await Promise.race(slow.map(({ status }) => status))).toBe(503)
    for (const { leave } of slow) leave()
    await expect.poll(() => gone).toBe(3)
    const answer = send(300)
    await expect.poll(() => atWork.length).toBe(1)
    atWork.shift()?.()
    expect(await answer).toBe(300)
  })

  it('a body beyond the limit of the route is refused', async () => {
    expect(await send(401)).toMatchObject({ code: 'too-large' })
  })
})
