import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { createSignedInClient, createTestClient, password } from '../../tests/support/http-client.ts'
import { startTestServer, type TestServer } from '../../tests/support/server.ts'
import type { AuthenticatedSession, SessionStorage } from '../storage/storage.ts'
import { createSessions } from './sessions.ts'

const day = 24 * 60 * 60 * 1000

describe('security: sessions', () => {
  let server: TestServer
  let shift = 0

  beforeEach(async () => {
    shift = 0
    server = await startTestServer({ now: () => Date.now() + shift })
  })
  afterEach(() => server.stop())

  const statusOf = async (client: { call: ReturnType<typeof createTestClient>['call'] }) =>
    (await client.call('GET', paths.session)).status

  it('a session that nobody uses ends after 7 days', async () => {
    const client = await createSignedInClient(server.url)
    shift = 7 * day - 60_000
    expect(await statusOf(client)).toBe(200)
    shift += 7 * day - 60_000
    expect(await statusOf(client)).toBe(200)
    shift += 7 * day + 60_000
    expect(await statusOf(client)).toBe(401)
  })

  it('a session ends 30 days after sign-in, however much it is used', async () => {
    const client = await createSignedInClient(server.url)
    for (shift = 0; shift < 30 * day; shift += 5 * day) expect(await statusOf(client)).toBe(200)
    expect(await statusOf(client)).toBe(401)
  })

  it('a session that was over stays over when the clock is set back', async () => {
    const client = await createSignedInClient(server.url)
    shift = 31 * day
    expect(await statusOf(client)).toBe(401)
    shift = 0
    expect(await statusOf(client)).toBe(401)
  })

  it('a clock set back a month ends no session and makes none endless', async () => {
    const client = await createSignedInClient(server.url)
    shift = -30 * day
    expect(await statusOf(client)).toBe(200)
    const late = await createSignedInClient(server.url, 'late@example.com')
    shift = 0
    expect(await statusOf(late)).toBe(401)
    expect(await statusOf(client)).toBe(200)
  })

  it('lists the sessions of the account, and ends all of them', async () => {
    const [here, there, other] = [
      await createSignedInClient(server.url),
      createTestClient(server.url),
      await createSignedInClient(server.url, 'other@example.com'),
    ]
    await there.signIn('ada@example.com')
    const { body } = await here.call('GET', paths.sessions)
    expect(body.sessions.map(({ current }: { current: boolean }) => current).sort()).toEqual([false, true])
    expect(JSON.stringify(body)).not.toContain(here.cookie.slice(8))
    const stream = await there.openChangeStream()
    expect((await here.call('DELETE', paths.sessions)).status).toBe(204)
    expect(await stream.next()).toBeUndefined()
    expect([await statusOf(here), await statusOf(there), await statusOf(other)]).toEqual([401, 401, 200])
  })

  it('a stream ends by itself when its session is ended by another process, or expires', async () => {
    const [ended, expired] = [
      await createSignedInClient(server.url),
      await createSignedInClient(server.url, 'other@example.com'),
    ]
    const [first, second] = [await ended.openChangeStream(), await expired.openChangeStream()]
    const account = await server.storage.accounts.findByEmailKey('ada@example.com')
    const [session] = await server.storage.sessions.listByAccount(account?.uid as string)
    await server.storage.sessions.end([session?.hash as string])
    expect(await first.next()).toBeUndefined()
    shift = 31 * day
    expect(await second.next()).toBeUndefined()
  })

  it('a session that is in use all the time ends, too, when another process ends it', async () => {
    const client = await createSignedInClient(server.url)
    const account = await server.storage.accounts.findByEmailKey('ada@example.com')
    const [session] = await server.storage.sessions.listByAccount(account?.uid as string)
    expect(await statusOf(client)).toBe(200)
    await server.storage.sessions.end([session?.hash as string])
    await expect.poll(() => statusOf(client)).toBe(401)
  })

  it('a new password needs the old one, follows the rules, and ends every other session', async () => {
    const [here, there] = [await createSignedInClient(server.url), createTestClient(server.url)]
    await there.signIn('ada@example.com')
    const change = (body: unknown) => here.call('PUT', paths.password, body)
    const wrong = await change({ password: 'not the old one', newPassword: 'a new and good one' })
    expect([wrong.status, wrong.body.code, wrong.body.field]).toEqual([
      401,
      'invalid-credentials',
      'password',
    ])
    const weak = await change({ password, newPassword: 'password' })
    expect([weak.status, weak.body.code, weak.body.field]).toEqual([400, 'weak-password', 'newPassword'])
    expect((await change({ password, newPassword: 'a new and good one' })).status).toBe(204)
    expect([await statusOf(here), await statusOf(there)]).toEqual([200, 401])
    expect((await there.signIn('ada@example.com')).status).toBe(401)
  })

  it('a new password gives the one who set it a fresh token, and the old one, which a thief may have, opens nothing', async () => {
    const here = await createSignedInClient(server.url)
    const stolen = { cookie: here.cookie }
    const thief = createTestClient(server.url)
    const [ours, theirs] = [await here.openChangeStream(), await here.openChangeStream()]
    const change = { password, newPassword: 'a new and good one' }
    const { headers } = await here.call('PUT', paths.password, change)
    expect(headers.get('set-cookie')).toMatch(
      /^session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    expect(here.cookie).not.toBe(stolen.cookie)
    expect([await ours.next(), await theirs.next()]).toEqual([undefined, undefined])
    expect((await thief.call('GET', paths.session, undefined, stolen)).status).toBe(401)
    expect(await statusOf(here)).toBe(200)
    expect((await here.call('GET', paths.sessions)).body.sessions).toHaveLength(1)
  })

  it('a sign-in under way when the password changes begins no session', async () => {
    const [here, there] = [await createSignedInClient(server.url), createTestClient(server.url)]
    const beginning = holdNextCall(server.storage.sessions, 'add')
    const signingIn = there.signIn('ada@example.com')
    await beginning.reached
    const change = { password, newPassword: 'a new and good one' }
    expect((await here.call('PUT', paths.password, change)).status).toBe(204)
    beginning.release()
    const { status, body } = await signingIn
    expect([status, body.code, there.cookie]).toEqual([401, 'invalid-credentials', ''])
    expect((await here.call('GET', paths.sessions)).body.sessions).toHaveLength(1)
  })

  it('a change of the password under way when the operator resets it changes nothing', async () => {
    const client = await createSignedInClient(server.url)
    const { uid } = (await client.call('GET', paths.session)).body
    const setting = holdNextCall(server.storage.accounts, 'setPasswordHash')
    const changing = client.call('PUT', paths.password, { password, newPassword: 'a new and good one' })
    await setting.reached
    await server.storage.accounts.setPasswordHash(uid, 'the operator has set')
    setting.release()
    const { status, body } = await changing
    expect([status, body.code, body.field]).toEqual([401, 'invalid-credentials', 'password'])
    const account = await server.storage.accounts.findByEmailKey('ada@example.com')
    expect(account?.passwordHash).toBe('the operator has set')
  })

  it('every call on sessions needs one', async () => {
    const stranger = createTestClient(server.url)
    for (const [method, path, body] of [
      ['GET', paths.sessions],
      ['DELETE', paths.sessions],
      ['PUT', paths.password, { password, newPassword: password }],
    ] as const) {
      expect((await stranger.call(method, path, body)).body.code).toBe('not-signed-in')
    }
  })
})

it('security: a session that ends while it is looked up is not remembered', async () => {
  const at = Date.now()
  const account = { uid: 'u', email: 'a@b.c', emailKey: 'a@b.c', passwordHash: '', createdAt: '' }
  const session = { hash: 'h', uid: 'u', createdAt: at, lastSeenAt: at }
  const asked = Promise.withResolvers<AuthenticatedSession>()
  const storage = {
    find: () => asked.promise,
    end: async (hashes: string[]) => hashes,
  } as Partial<SessionStorage>
  const sessions = createSessions({ storage: storage as SessionStorage })
  const finding = sessions.find('token')
  await sessions.end([session.hash])
  asked.resolve({ session, account })
  await finding
  expect(sessions.findCached('token')).toBeUndefined()
})

describe('security: cookies over HTTPS', () => {
  it('is __Host- and Secure where a trusted proxy says HTTPS, and plain where a stranger says so', async () => {
    const trusting = await startTestServer({ trustProxy: ['loopback'] })
    const wary = await startTestServer({ localOnly: false })
    const https = { 'x-forwarded-proto': 'https' }
    const credentials = { email: 'ada@example.com', password }
    for (const { url } of [trusting, wary]) await createTestClient(url).signUp(credentials.email)
    const client = createTestClient(trusting.url)
    const secure = await client.call('POST', paths.session, credentials, https)
    expect(secure.headers.get('set-cookie')).toMatch(/^__Host-session=[\w-]{43};.*Path=\/;.*Secure/)
    const unchanged = await client.call('GET', paths.books, undefined, { ...https, 'if-none-match': '*' })
    expect(unchanged.status).toBe(304)
    for (const { headers } of [secure, unchanged]) {
      expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}/)
    }
    const plain = await createTestClient(wary.url).call('POST', paths.session, credentials, https)
    expect(plain.headers.get('set-cookie')).toMatch(/^session=/)
    expect(plain.headers.get('strict-transport-security')).toBeNull()
    await Promise.all([trusting.stop(), wary.stop()])
  })
})

/** The next call of a method waits until it is let go. */
function holdNextCall<K extends string>(on: Record<K, (...args: never[]) => Promise<unknown>>, method: K) {
  const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const original = on[method] as (...args: unknown[]) => Promise<unknown>
  vi.spyOn(on as Record<string, typeof original>, method).mockImplementationOnce(async (...args) => {
    reached.resolve()
    await release.promise
    return original(...args)
  })
  return { reached: reached.promise, release: release.resolve }
}
