import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { SessionInfo } from '../../contract/accounts.ts'
import { paths } from '../../contract/protocol.ts'
import { createTestClient, password, refusal, type TestClient } from '../../tests/support/http-client.ts'
import { ada, renamed } from '../../tests/support/people.ts'
import { formatHead } from '../../tests/support/raw-http.ts'
import { startTestServer, type TestServer } from '../../tests/support/server.ts'
import { type AuthenticatedSession, type SessionStorage, StorageError } from '../storage/storage.ts'
import { Sessions } from './sessions.ts'

const day = 24 * 60 * 60 * 1000

describe('security: sessions', () => {
  let server: TestServer
  let shift = 0

  beforeEach(async () => {
    shift = 0
    server = await startTestServer({ now: () => Date.now() + shift })
  })

  const statusOf = async (client: TestClient) => (await client.get(paths.session)).status

  /** Sends a request, and waits until its time is stored: the response does not wait for that. */
  async function touchSession(client: TestClient) {
    const { status, body } = await client.get(paths.session)
    expect(status).toBe(200)
    const readLastSeen = async () => (await server.storage.sessions.listByAccount(body.uid))[0]?.lastSeenAt
    await expect.poll(readLastSeen).toBeGreaterThan(Date.now() + shift - 60_000)
  }

  it('a session expires after 7 days without requests', async () => {
    const client = await server.signIn()
    shift = 7 * day - 60_000
    await touchSession(client)
    shift += 7 * day - 120_000
    await touchSession(client)
    shift += 7 * day + 60_000
    expect(await statusOf(client)).toBe(401)
  })

  it('a session expires 30 days after sign-in, even if it is used', async () => {
    const client = await server.signIn()
    for (shift = 0; shift < 30 * day; shift += 5 * day) await touchSession(client)
    expect(await statusOf(client)).toBe(401)
  })

  it('an expired session stays expired when the clock is set back', async () => {
    const client = await server.signIn()
    shift = 31 * day
    expect(await statusOf(client)).toBe(401)
    shift = 0
    expect(await statusOf(client)).toBe(401)
  })

  it('an expired session is refused on a full disk too', async () => {
    const client = await server.signIn()
    vi.spyOn(server.storage.sessions, 'end').mockRejectedValue(new StorageError('full', 'full'))
    shift = 31 * day
    expect(await client.get(paths.books)).toMatchObject(refusal(401, 'not-signed-in'))
  })

  it('setting the clock back a month neither ends a session nor extends one indefinitely', async () => {
    const client = await server.signIn()
    shift = -30 * day
    expect(await statusOf(client)).toBe(200)
    const other = await server.signIn('other@example.com')
    shift = 0
    expect(await statusOf(other)).toBe(401)
    expect(await statusOf(client)).toBe(200)
  })

  it('an account has at most 100 sessions: a sign-in ends the one that was not used for longest', async () => {
    const client = await server.signIn()
    const uid = await client.uid()
    const others = Array.from({ length: 99 }, () => server.connect())
    for (const other of others) expect((await other.signIn('ada@example.com')).status).toBe(200)
    shift = 10 * 60_000
    await touchSession(client)
    const last = server.connect()
    await last.signIn('ada@example.com')
    expect(await server.storage.sessions.listByAccount(uid)).toHaveLength(100)
    expect([await statusOf(client), await statusOf(last)]).toEqual([200, 200])
    const statuses = await Promise.all(others.map(statusOf))
    expect(statuses.filter((status) => status === 401)).toHaveLength(1)
  })

  /** Two clients of one account with a stream each, and a client of another account. */
  async function signInTwice() {
    const [here, there] = [await server.signIn(), await server.signIn()]
    const other = await server.signIn('other@example.com')
    const streams = [await here.openChangeStream(), await there.openChangeStream()] as const
    const statuses = () => Promise.all([here, there, other].map(statusOf))
    return { here, there, other, streams, statuses }
  }
  const list = async (client: TestClient) => (await client.get(paths.sessions)).body.sessions
  const isCurrent = ({ current }: { current: boolean }) => current

  it('lists and ends all sessions of the account', async () => {
    const { here, streams, statuses } = await signInTwice()
    const sessions = await list(here)
    expect(sessions.map(isCurrent).sort()).toEqual([false, true])
    expect(JSON.stringify(sessions)).not.toContain(here.cookie.slice(8))
    expect((await here.delete(paths.sessions)).status).toBe(204)
    for (const stream of streams) expect(await stream.next()).toBeUndefined()
    expect(await statuses()).toEqual([401, 401, 200])
  })

  it('ends one session of the account by its id, with its streams', async () => {
    const { here, other, streams, statuses } = await signInTwice()
    const theirs = (await list(here)).find((session: { current: boolean }) => !isCurrent(session))
    const [foreign] = await list(other)
    for (const id of [foreign.id, 'missing', '%2e%2e', 'x'.repeat(64)])
      expect(await here.delete(paths.sessionById(id))).toMatchObject(refusal(404, 'not-found'))
    expect((await here.delete(paths.sessionById(theirs.id))).status).toBe(204)
    expect(await streams[1].next()).toBeUndefined()
    expect(await statuses()).toEqual([200, 401, 200])
    const [own] = await list(here)
    const { status, headers } = await here.delete(paths.sessionById(own.id))
    expect([status, headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')])
    expect(await statusOf(here)).toBe(401)
  })

  it('tells the browser and system of each session, as known names only', async () => {
    const client = await server.signIn()
    const blink = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0'
    const named = {
      'Firefox on Linux': 'X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0',
      'Edge on macOS': `Macintosh; Intel Mac OS X 10_15_7) ${blink} Safari/537.36 Edg/143.0.0.0`,
      'Safari on iPhone': 'iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/26.1 Mobile/15E148 Safari/604.1',
      'Chrome on Android': `Linux; Android 10; K) ${blink} Mobile Safari/537.36`,
    }
    const header = (rest: string) => `Mozilla/5.0 (${rest}`
    const long = header(`Linux) Firefox/1 ${'x'.repeat(400)}`)
    const hostile = ['', '<b>Firefox/1 on Linux</b>', long, header('Linux')]
    const credentials = { email: 'ada@example.com', password }
    for (const userAgent of [...Object.values(named).map(header), ...hostile])
      await server.connect().post(paths.session, credentials, { 'user-agent': userAgent })
    const sessions: SessionInfo[] = await list(client)
    expect(sessions.flatMap(({ browser }) => browser ?? []).sort()).toEqual(Object.keys(named).sort())
    expect(sessions).toHaveLength(1 + Object.keys(named).length + hostile.length)
  })

  it('the id of a session is part of neither its token nor its stored hash', async () => {
    const client = await server.signIn()
    const [stored] = await server.storage.sessions.listByAccount(await client.uid())
    const [{ id }] = await list(client)
    expect(id).toMatch(/^[\w-]{16}$/)
    expect(`${client.cookie} ${stored?.hash}`).not.toContain(id)
  })

  it('ends all other sessions of the account with except=current, and none with another value', async () => {
    const { here, streams, statuses } = await signInTwice()
    expect((await here.delete(`${paths.sessions}?except=mine`)).body.code).toBe('invalid-request')
    expect(await statuses()).toEqual([200, 200, 200])
    expect((await here.delete(`${paths.sessions}?except=current`)).status).toBe(204)
    expect(await streams[1].next()).toBeUndefined()
    expect(await statuses()).toEqual([200, 401, 200])
    await here.add(ada)
    expect((await streams[0].next())?.event).toBe('change')
  })

  /** Ends a session as another process does. */
  async function endElsewhere(client: TestClient) {
    const [session] = await server.storage.sessions.listByAccount(await client.uid())
    await server.storage.sessions.end([session?.hash as string])
  }

  it('a stream is closed when its session expires or is ended by another process', async () => {
    const [ended, expired] = [await server.signIn(), await server.signIn('other@example.com')]
    const [first, second] = [await ended.openChangeStream(), await expired.openChangeStream()]
    await endElsewhere(ended)
    expect(await first.next()).toBeUndefined()
    shift = 31 * day
    expect(await second.next()).toBeUndefined()
  })

  it('a session in constant use ends when another process ends it', async () => {
    const client = await server.signIn()
    await endElsewhere(client)
    await expect.poll(() => statusOf(client)).toBe(401)
  })

  it('a session that ended before the body of its request has arrived is refused', async () => {
    const ann = await server.signIn()
    const eve = await server.signIn('eve@example.com')
    const uid = await eve.uid()
    const id = (await ann.add(ada)).body.id
    const begin = async (method: string, path: string, body: string) => {
      const headers = { cookie: eve.cookie, 'content-type': 'application/json', connection: 'close' }
      const head = formatHead(method, path, { ...headers, 'content-length': body.length })
      const { socket, response, sent } = server.open(head)
      await sent
      return () => {
        socket.write(body)
        return response
      }
    }
    const change = JSON.stringify({ ...renamed('Mine'), seen: renamed('Seen') })
    const changing = await begin('PATCH', paths.book(id), change)
    const inviting = await begin('POST', paths.invitations, '{}')
    const revoking = await begin('DELETE', paths.invitationById('x'), '{}')
    const sentAt = performance.now()
    await server.storage.accounts.remove(uid)
    await expect.poll(() => statusOf(eve)).toBe(401)
    await expect.poll(() => performance.now() - sentAt).toBeGreaterThan(300)
    await ann.update(id, renamed('Changed later'))
    for (const response of await Promise.all([changing(), inviting(), revoking()])) {
      expect(response).toMatch(/^HTTP\/1.1 401 /)
      expect(response).not.toContain('Changed later')
    }
  })

  it('a password change returns a new token and invalidates the old one', async () => {
    const { here, there, streams, statuses } = await signInTwice()
    const thief = server.connect(here.cookie)
    const change = { password, newPassword: 'a new and good one' }
    const { headers } = await here.put(paths.password, change)
    expect(headers.get('set-cookie')).toMatch(
      /^session-[\w-]{8}=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    expect(here.cookie).not.toBe(thief.cookie)
    for (const stream of streams) expect(await stream.next()).toBeUndefined()
    expect(await statusOf(thief)).toBe(401)
    expect(await statuses()).toEqual([200, 401, 200])
    expect(await list(here)).toHaveLength(1)
    expect((await there.signIn('ada@example.com')).status).toBe(401)
  })

  it('a sign-in during a password change creates no session', async () => {
    const [here, there] = [await server.signIn(), server.connect()]
    const creation = holdNextCall(server.storage.sessions, 'add')
    const signingIn = there.signIn('ada@example.com')
    await creation.reached
    const change = { password, newPassword: 'a new and good one' }
    expect((await here.put(paths.password, change)).status).toBe(204)
    creation.release()
    const { status, body } = await signingIn
    expect([status, body.code, there.cookie]).toEqual([401, 'invalid-credentials', ''])
    expect(await list(here)).toHaveLength(1)
  })

  it('a password change during a reset by the operator has no effect', async () => {
    const client = await server.signIn()
    const uid = await client.uid()
    const setting = holdNextCall(server.storage.accounts, 'replacePassword')
    const changing = client.put(paths.password, { password, newPassword: 'a new and good one' })
    await setting.reached
    await server.storage.accounts.setPasswordHash(uid, 'the operator has set')
    setting.release()
    expect(await changing).toMatchObject(refusal(401, 'invalid-credentials', 'password'))
    const account = await server.storage.accounts.findByEmailKey('ada@example.com')
    expect(account?.passwordHash).toBe('the operator has set')
  })
})

it('security: a session that ends during its lookup is not cached', async () => {
  const at = Date.now()
  const account = { uid: 'u', email: 'a@b.c', emailKey: 'a@b.c', passwordHash: '', createdAt: '' }
  const session = { hash: 'h', uid: 'u', createdAt: at, lastSeenAt: at }
  const lookup = Promise.withResolvers<AuthenticatedSession>()
  const storage = {
    find: () => lookup.promise,
    end: async (hashes: string[]) => hashes,
  } as Partial<SessionStorage>
  const sessions = new Sessions({ storage: storage as SessionStorage })
  const finding = sessions.find('token')
  await sessions.end([session.hash])
  lookup.resolve({ session, account })
  await finding
  expect(sessions.findCached('token')).toBeUndefined()
})

describe('security: cookies over HTTPS', () => {
  it('of two registers on one host do not replace each other', async () => {
    const [one, other] = [await startTestServer(), await startTestServer()]
    const cookies = [(await one.signIn()).cookie, (await other.signIn()).cookie]
    expect(new Set(cookies.map((cookie) => cookie.split('=')[0])).size).toBe(2)
    for (const { connect } of [one, other])
      expect((await connect(cookies.join('; ')).get(paths.session)).status).toBe(200)
  })

  it('continue if their cookie has the name that earlier versions gave it', async () => {
    const server = await startTestServer()
    const { cookie } = await server.signIn()
    const earlier = server.connect(cookie.replace(/^session-[^=]+/, 'session'))
    expect((await earlier.get(paths.session)).status).toBe(200)
    expect((await earlier.delete(paths.session)).status).toBe(204)
    expect((await server.connect(cookie).get(paths.session)).status).toBe(401)
  })

  it('are __Host- and Secure if a trusted proxy reports HTTPS, and plain if another client does', async () => {
    const trusting = await startTestServer({ trustProxy: ['loopback'] })
    const direct = await startTestServer({ localOnly: false })
    const https = { 'x-forwarded-proto': 'https' }
    const credentials = { email: 'ada@example.com', password }
    for (const { url } of [trusting, direct]) await createTestClient(url).signUp(credentials.email)
    const client = trusting.connect()
    const secure = await client.post(paths.session, credentials, https)
    expect(secure.headers.get('set-cookie')).toMatch(/^__Host-session-[\w-]{8}=[\w-]{43};.*Path=\/;.*Secure/)
    const unchanged = await client.get(paths.books, { ...https, 'if-none-match': '*' })
    expect(unchanged.status).toBe(304)
    for (const { headers } of [secure, unchanged]) {
      expect(headers.get('strict-transport-security')).toBe('max-age=63072000')
    }
    const throughTwo = await trusting
      .connect()
      .post(paths.session, credentials, { 'x-forwarded-proto': 'https, http' })
    expect(throughTwo.headers.get('set-cookie')).toMatch(/^__Host-session-.*Secure/)
    const plain = await direct.connect().post(paths.session, credentials, https)
    expect(plain.headers.get('set-cookie')).toMatch(/^session-[\w-]{8}=/)
    expect(plain.headers.get('strict-transport-security')).toBeNull()
  })
})

it('cookies are Secure at an https:// PUBLIC_URL, whatever the last of several proxies reports', async () => {
  const publicUrl = new URL('https://staff.example.com')
  const server = await startTestServer({ trustProxy: ['loopback'], localOnly: false, publicUrl })
  await createTestClient(server.url).signUp('ada@example.com')
  const signInAt = async (headers: Record<string, string>) => {
    const body = JSON.stringify({ email: 'ada@example.com', password })
    const response = await server.send(
      'POST',
      paths.session,
      { 'content-type': 'application/json', ...headers },
      body,
    )
    return String(response.headers['set-cookie'])
  }
  for (const proto of ['http', 'http, http', 'https, http'])
    expect(await signInAt({ host: 'staff.example.com:443', 'x-forwarded-proto': proto })).toMatch(
      /^__Host-session-.*Secure/,
    )
  // An operator on the machine itself, without HTTPS.
  expect(await signInAt({ host: 'localhost:3000' })).toMatch(/^session-/)
})

/** Suspends the next call of a method until `release` is called. */
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
