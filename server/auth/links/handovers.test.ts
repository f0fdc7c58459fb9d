import { beforeEach, describe, expect, it } from 'vitest'
import { maxSealedLength, maxSheetLength } from '../../../contract/handovers.ts'
import { linkTtlMs, takeRepeatMs } from '../../../contract/links.ts'
import { paths } from '../../../contract/protocol.ts'
import { grace as graceFields, ada as record } from '../../../tests/support/people.ts'
import { provideScenario } from '../../../tests/support/provide-server.ts'
import { startTestServer } from '../../../tests/support/server.ts'
import { defaultThrottleLimits } from '../throttle.ts'

const unlimited = { connectionLimits: { maxConnectionsPerAddress: 2_000 } }
const throttleLimits = { ...defaultThrottleLimits, failuresPerAddress: 2_000 }

describe('security: hand-overs', () => {
  const { server, ada, log, clock } = provideScenario({ ...unlimited, throttleLimits })
  let id: string

  beforeEach(async () => {
    id = (await ada.add(record)).body.id
  })

  const handOver = async () =>
    (await ada.post(paths.handovers, { record: id, seen: record, sealed: 'ciphertext' })).body
  const take = (token: string, key?: string) =>
    server.connect().post(paths.handoverTake, { token }, key === undefined ? {} : { 'idempotency-key': key })

  it('are opened by exactly one of a thousand at once; the others are told what to do, as with any link that is no use', {
    tags: 'large',
  }, async () => {
    const [{ token }, revoked, expired] = [await handOver(), await handOver(), await handOver()]
    const responses = await Promise.all(Array.from({ length: 1_000 }, () => take(token)))
    const taken = responses.filter(({ status }) => status === 200)
    expect(taken.map(({ body }) => body)).toEqual([{ sealed: 'ciphertext', by: 'ada@example.com' }])
    for (const status of [204, 404])
      expect((await ada.delete(paths.handoverById(revoked.id))).status).toBe(status)
    clock.now += linkTtlMs.handover
    for (const other of ['unknown', revoked.token, expired.token]) responses.push(await take(other))
    const refused = responses.filter(({ status }) => status === 410).map(({ body }) => body.message)
    expect([refused.length, new Set(refused).size]).toEqual([1_002, 1])
    expect(refused[0]).toMatch(/^This link was already used.* Ask /)
  })

  it('stay open for 7 days, whatever loads the page, and leave no secret in the log; the record says when they were opened', async () => {
    const { id: link, token, expiresAt } = await handOver()
    expect(Date.parse(expiresAt)).toBe(clock.now + 7 * 24 * 60 * 60 * 1000)
    const createdAt = new Date(clock.now).toISOString()
    const open = { id: link, record: id, by: 'ada@example.com', createdAt, expiresAt }
    expect((await ada.get(paths.handovers)).body).toEqual({ handovers: [open] })
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      await server.connect().call(method, `${paths.handoverTake}?token=${token}`)
    clock.now += linkTtlMs.handover - 1
    expect((await take(token)).status).toBe(200)
    expect((await take(token)).status).toBe(410)
    expect(log()).toContain('hand-over opened')
    for (const secret of [token, 'ciphertext', record.password]) expect(log()).not.toContain(secret)
    expect((await ada.get(paths.handovers)).body).toEqual({ handovers: [] })
    const [details] = (await ada.get(`${paths.details}?ids=${id}`)).body.details
    expect(details).toMatchObject({ handedOverAt: createdAt, openedAt: new Date(clock.now).toISOString() })
  })

  it('need a session, an existing record, and a sealed text of limited size; an account has at most 20', async () => {
    const stranger = server.connect()
    expect((await stranger.get(paths.handovers)).status).toBe(401)
    expect((await stranger.post(paths.handovers, {})).status).toBe(401)
    expect((await stranger.delete(paths.handoverById('x'))).status).toBe(401)
    const attempt = async (body: object) =>
      (await ada.post(paths.handovers, { seen: record, ...body })).status
    expect(await attempt({ record: 'other', sealed: 'x' })).toBe(404)
    expect(await attempt({ record: id, seen: { ...record, password: 'replaced' }, sealed: 'x' })).toBe(409)
    for (const sealed of ['not base64url!', '']) expect(await attempt({ record: id, sealed })).toBe(400)
    expect(await attempt({ record: id, sealed: 'x'.repeat(maxSealedLength) })).toBe(201)
    expect(await attempt({ record: id, sealed: 'x'.repeat(maxSealedLength + 1) })).toBe(400)
    for (let i = 1; i < 20; i++) await handOver()
    expect(await handOver()).toMatchObject({ code: 'too-many-handovers' })
  })

  it('answer whoever has opened them again if the response was lost, and nobody else', async () => {
    const { token } = await handOver()
    const opened = await take(token, 'key')
    expect(opened.body).toEqual({ sealed: 'ciphertext', by: 'ada@example.com' })
    expect(await take(token, 'key')).toMatchObject({ status: 200, body: opened.body })
    for (const key of [undefined, 'other']) expect((await take(token, key)).status).toBe(410)
    expect((await take(token, 'no key!')).body).toMatchObject({ field: 'idempotency-key' })
    clock.now += takeRepeatMs
    expect((await take(token, 'key')).status).toBe(410)
  })

  it('of a sheet are made in one request, listed as one, and revoked together', async () => {
    const grace = (await ada.add(graceFields)).body.id
    const changed = { record: grace, seen: record, sealed: 'b' }
    const handovers = [{ ...changed, record: id }, changed, { ...changed, seen: graceFields, sealed: 'c' }]
    const { body: sheet } = await ada.post(paths.sheets, { handovers })
    expect(sheet.tokens).toEqual([expect.any(String), null, expect.any(String)])
    expect((await take(sheet.tokens[2])).body.sealed).toBe('c')
    const [listed] = (await ada.get(paths.sheets)).body.sheets
    expect(listed).toMatchObject({ id: sheet.id, expiresAt: sheet.expiresAt, open: 1, opened: 1 })
    for (const status of [204, 404]) expect((await ada.delete(paths.sheetById(sheet.id))).status).toBe(status)
    expect((await take(sheet.tokens[0])).status).toBe(410)
    for (const token of sheet.tokens) expect(log()).not.toContain(token)
    expect((await server.connect().post(paths.sheets, {})).status).toBe(401)
    const attempt = async (handovers: object[]) => (await ada.post(paths.sheets, { handovers })).body
    expect(await attempt([])).toMatchObject({ field: 'handovers' })
    const one = { record: id, seen: record, sealed: 'x' }
    expect(await attempt([one, { ...one, sealed: '' }])).toMatchObject({ field: 'handovers/1/sealed' })
    expect(await attempt(Array(maxSheetLength + 1).fill(one))).toMatchObject({ field: 'handovers' })
    const large = { ...one, sealed: 'x'.repeat(maxSealedLength) }
    expect(await attempt(Array(20).fill(large))).toMatchObject({ code: 'too-large' })
    expect((await ada.delete(paths.sheetById('\0'))).status).toBe(400)
  })
})

it('security: hand-overs that fail count as failed sign-ins of the address; those of an office that succeed do not', async () => {
  const server = await startTestServer({ throttleLimits: { ...throttleLimits, failuresPerAddress: 3 } })
  const ada = await server.signIn()
  const { id } = (await ada.add(record)).body
  const handOver = async () =>
    (await ada.post(paths.handovers, { record: id, seen: record, sealed: 'x' })).body.token
  const take = async (token: string) => (await server.connect().post(paths.handoverTake, { token })).status
  for (let i = 0; i < 5; i++) expect(await take(await handOver())).toBe(200)
  for (let i = 0; i < 3; i++) expect(await take(`guess ${i}`)).toBe(410)
  expect(await take(await handOver())).toBe(429)
  expect((await server.connect().signIn('e@x.y')).status).toBe(429)
  expect((await ada.get(paths.handovers)).body.handovers).toHaveLength(1)
})
