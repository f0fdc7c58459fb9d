import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FastifyInstance, fastify } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installErrorTable } from './error-table.ts'
import { createIntake } from './intake.ts'

describe('issue 4, import: what is taken in at a time', () => {
  let app: FastifyInstance
  let url: string
  let atWork: (() => void)[]

  beforeEach(async () => {
    atWork = []
    app = fastify({ forceCloseConnections: true })
    installErrorTable(app)
    app.post(
      '/',
      { bodyLimit: 400, preParsing: createIntake({ atOnce: 2, bytes: 1000 }) },
      async ({ body }) => {
        await new Promise<void>((resolve) => atWork.push(resolve))
        return body
      },
    )
    await app.listen({ port: 0, host: '127.0.0.1' })
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  })
  afterEach(() => app.close())

  async function send(length: number) {
    const body = JSON.stringify('x'.repeat(length - 2))
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body })
    const answer = await response.json()
    return response.ok ? answer.length + 2 : answer.code
  }

  /** Sends the beginning of a body; the returned function breaks the line. */
  async function begin(length: number) {
    const headers = { 'content-type': 'application/json', 'content-length': 399 }
    const sending = request(url, { method: 'POST', headers, agent: false })
    sending.on('error', () => {})
    await new Promise((resolve) => sending.write('x'.repeat(length), resolve))
    return async () => {
      sending.destroy()
      await once(sending, 'close')
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

  it('a sender that is gone before its turn takes none', async () => {
    const first = [send(10), send(11)]
    await expect.poll(() => atWork.length).toBe(2)
    const leave = await begin(399)
    await leave()
    const last = send(12)
    for (const end of atWork.splice(0)) end()
    await expect.poll(() => atWork.length).toBe(1)
    atWork.shift()?.()
    expect(await Promise.all([...first, last])).toEqual([10, 11, 12])
  })

  it('more bytes than may be held are refused as busy, until some are gone', async () => {
    const leave = await Promise.all([begin(390), begin(390)])
    await expect.poll(() => send(300)).toBe('busy')
    await Promise.all(leave.map((go) => go()))
    const answer = send(300)
    await expect.poll(() => atWork.length).toBe(1)
    atWork.shift()?.()
    expect(await answer).toBe(300)
  })

  it('a body beyond the limit of the route is refused', async () => {
    expect(await send(401)).toBe('too-large')
  })
})
