import { beforeEach, describe, expect, it } from 'vitest'
import { maxSealedLength } from '../../../contract/handovers.ts'
import { paths } from '../../../contract/protocol.ts'
import {
  createSignedInClient,
  createTestClient,
  password,
  type TestClient,
  type TestResponse,
} from '../../../tests/support/http-client.ts'
import { ada as record, renamed } from '../../../tests/support/people.ts'
import { recordLog, startTestServer, type TestServer } from '../../../tests/support/server.ts'
import type { LoggedActivity } from '../../storage/history.ts'
import { defaultThrottleLimits, type ThrottleLimits } from '../throttle.ts'
import { handoverTtlMs } from './handovers.ts'

describe('security: hand-overs', () => {
  let now = Date.now()
  let log: () => string
  let server: TestServer
  let ada: TestClient
  let id: string

  async function start(limits: Partial<ThrottleLimits> = {}) {
    const { logger, text } = recordLog()
    log = text
    const throttleLimits = { ...defaultThrottleLimits, ...limits }
    const connectionLimits = { maxConnectionsPerAddress: 2_000 }
    server = await startTestServer({ now: () => now, logger, throttleLimits, connectionLimits })
    ada = await createSignedInClient(server.url)
    id = (await ada.add(record)).body.id
  }

  beforeEach(() => {
    now = Date.now()
  })

  const handOver = async (sealed = 'ciphertext', of = id) =>
    (await ada.call('POST', paths.handovers, { record: of, sealed })).body
  const take = (token: string) => createTestClient(server.url).call('POST', paths.handoverTake, { token })
  const withStatus = (expected: number, responses: TestResponse[]) =>
    responses.filter(({ status }) => status === expected)

  it('are opened by exactly one of a thousand at once; the others are told what to do', async () => {
    await start({ failuresPerAddress: 2_000 })
    const { token } = await handOver()
    const responses = await Promise.all(Array.from({ length: 1_000 }, () => take(token)))
    const [taken, refused] = [withStatus(200, responses), withStatus(410, responses)]
    expect([taken.length, refused.length]).toEqual([1, 999])
    expect(taken[0]?.body).toEqual({ sealed: 'ciphertext', by: 'ada@example.com' })
    expect(new Set(refused.map(({ body }) => body.message))).toEqual(
      new Set(['This link was already used, or is no longer valid. Ask whoever sent it for a new one.']),
    )
  })

  it('stay open for 7 days, whatever loads the page; the record then says when it was opened', async () => {
    await start()
    const { id: link, token, expiresAt } = await handOver()
    expect(Date.parse(expiresAt)).toBe(now + 7 * 24 * 60 * 60 * 1000)
    const createdAt = new Date(now).toISOString()
    const open = { id: link, record: id, by: 'ada@example.com', createdAt, expiresAt }
    expect((await ada.call('GET', paths.handovers)).body).toEqual({ handovers: [open] })
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      await createTestClient(server.url).call(method, `${paths.handoverTake}?token=${token}`)
    now += handoverTtlMs - 1
    expect((await take(token)).status).toBe(200)
    expect((await ada.call('GET', paths.handovers)).body).toEqual({ handovers: [] })
    const [details] = (await ada.call('GET', `${paths.details}?ids=${id}`)).body.details
    expect(details).toMatchObject({ handedOverAt: createdAt, openedAt: new Date(now).toISOString() })
  })

  it('answer alike if they are unknown, used, revoked or expired, or their password, record or maker is gone', async () => {
    await start()
    const eve = await createSignedInClient(server.url, 'eve@example.com')
    const { body: orphaned } = await eve.call('POST', paths.handovers, { record: id, sealed: 'x' })
    const [used, revoked] = [await handOver(), await handOver()]
    await take(used.token)
    // Anyone who is signed in may revoke it.
    expect((await eve.call('DELETE', paths.handoverById(revoked.id))).status).toBe(204)
    expect((await eve.call('DELETE', paths.handoverById(revoked.id))).status).toBe(404)
    const account = await server.storage.accounts.findByEmailKey('eve@example.com')
    await server.storage.accounts.remove(account?.uid ?? '')
    const tokens = ['x', used.id, used.token, revoked.token, orphaned.token]
    const changed = await handOver()
    await ada.update(id, renamed('Another name'))
    expect((await ada.call('GET', paths.handovers)).body.handovers).toHaveLength(1)
    await ada.update(id, { ...record, password: 'another' })
    const expired = await handOver()
    const other = (await ada.add(record)).body.id
    const deleted = await handOver('x', other)
    await ada.remove(other)
    const answers = await Promise.all([...tokens, changed.token, deleted.token].map(take))
    now += handoverTtlMs
    answers.push(await take(expired.token))
    expect(withStatus(410, answers)).toHaveLength(8)
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  })

  it('that fail count as failed sign-ins of the address; those of an office that succeed do not', async () => {
    await start({ failuresPerAddress: 3 })
    for (let i = 0; i < 5; i++) expect((await take((await handOver()).token)).status).toBe(200)
    for (let i = 0; i < 3; i++) expect((await take(`guess ${i}`)).status).toBe(410)
    const { token } = await handOver()
    expect((await take(token)).status).toBe(429)
    const signIn = createTestClient(server.url).call('POST', paths.session, { email: 'e@x.y', password })
    expect((await signIn).status).toBe(429)
    expect((await ada.call('GET', paths.handovers)).body.handovers).toHaveLength(1)
  })

  it('need a session, an existing record, and a sealed text of limited size; an account has at most 20', async () => {
    await start()
    const stranger = createTestClient(server.url)
    expect((await stranger.call('GET', paths.handovers)).status).toBe(401)
    expect((await stranger.call('POST', paths.handovers, { record: id, sealed: 'x' })).status).toBe(401)
    expect((await stranger.call('DELETE', paths.handoverById('x'))).status).toBe(401)
    const attempt = async (body: object) => (await ada.call('POST', paths.handovers, body)).status
    expect(await attempt({ record: 'other', sealed: 'x' })).toBe(404)
    for (const body of [
      { sealed: 'x' },
      { record: id, sealed: 'not base64url!' },
      { record: id, sealed: '' },
    ])
      expect(await attempt(body)).toBe(400)
    expect(await attempt({ record: id, sealed: 'x'.repeat(maxSealedLength) })).toBe(201)
    expect(await attempt({ record: id, sealed: 'x'.repeat(maxSealedLength + 1) })).toBe(400)
    for (let i = 1; i < 20; i++) await handOver()
    expect(await handOver()).toMatchObject({ code: 'too-many-handovers' })
  })

  it('leave neither the token nor the sealed text in the log, and are in the list of activity', async () => {
    await start()
    const { token } = await handOver('the-sealed-text')
    await take(token)
    await take(token)
    expect(log()).toContain('hand-over opened')
    for (const secret of [token, 'the-sealed-text', record.password]) expect(log()).not.toContain(secret)
    const entries: LoggedActivity[] = []
    for await (const page of server.storage.history.loadActivity()) entries.push(...page)
    expect(entries.map(({ kind, by, account, record }) => [kind, by, account, record]).slice(-2)).toEqual([
      ['hand-over', 'ada@example.com', null, id],
      ['open-hand-over', null, 'ada@example.com', id],
    ])
  })
})
