import { generateKeyPairSync } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { challengeTtlMs, maxPasskeys, passkeyPaths } from '../../../contract/passkeys.ts'
import { paths } from '../../../contract/protocol.ts'
import { collect } from '../../../tests/contracts/provide-storage.ts'
import {
  addPasskey,
  createAuthenticator,
  flags,
  publicUrl,
  signChallenge,
  signInWith,
} from '../../../tests/support/authenticator.ts'
import { password, refusal, signInAt, type TestClient } from '../../../tests/support/http-client.ts'
import { isNightly } from '../../../tests/support/nightly.ts'
import { provideScenario } from '../../../tests/support/provide-server.ts'
import { createRandom } from '../../../tests/support/random.ts'
import { seed } from '../../../tests/support/sample.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { timeouts } from '../../../tests/support/timeouts.ts'
import { defaultThrottleLimits } from '../throttle.ts'

const unlimited = Number.MAX_SAFE_INTEGER
const throttleLimits = {
  failuresPerAddress: unlimited,
  failuresPerPair: unlimited,
  failuresPerAccount: unlimited,
  signUpsPerAddress: unlimited,
}
const refused = { status: 401, body: { code: 'invalid-credentials', message: 'Wrong email or password.' } }
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe('security: passkeys', () => {
  const { server, ada, log, clock } = provideScenario({ publicUrl, throttleLimits })
  let key: ReturnType<typeof createAuthenticator>
  /** A browser without a session. */
  let browser: TestClient

  beforeEach(() => {
    key = createAuthenticator()
    browser = server.connect()
  })

  const listOf = async (client: TestClient) => (await client.get(passkeyPaths.passkeys)).body.passkeys
  const signIn = async (client = server.connect()) => signInWith(client, await signChallenge(client, key))

  it('sign in without a password, and are listed with what they are', async () => {
    const { status, body: added } = await addPasskey(ada, key, ' Laptop ')
    const expected = { id: added.id, name: 'Laptop', isBackedUp: false }
    expect([status, added]).toEqual([201, { ...expected, createdAt: new Date(clock.now).toISOString() }])
    expect(added.id).not.toBe(key.id)
    clock.now += 1000
    const assertion = await signChallenge(browser, key)
    const headers = { 'user-agent': firefox }
    const signedIn = await browser.post(passkeyPaths.session, { response: assertion }, headers)
    expect([signedIn.status, signedIn.body]).toEqual([200, (await ada.get(paths.session)).body])
    expect(signedIn.headers.get('set-cookie')).toMatch(
      /^session-[\w-]{8}=[\w-]{43}; .*HttpOnly; SameSite=Strict/,
    )
    const { sessions } = (await browser.get(paths.sessions)).body
    expect(sessions).toContainEqual(expect.objectContaining({ current: true, browser: 'Firefox on Linux' }))
    expect(await listOf(browser)).toEqual([
      { ...expected, createdAt: added.createdAt, lastUsedAt: new Date(clock.now).toISOString() },
    ])
    expect(log()).not.toContain(key.id)
    expect(log()).not.toContain(assertion.response.signature)
  })

  it.each([
    ['ES256', true],
    ['EdDSA', false],
    ['RS256', true],
  ] as const)('sign in again and again with %s, also without a counter', async (algorithm, isCounting) => {
    key = createAuthenticator({ algorithm, isCounting })
    expect((await addPasskey(ada, key)).status).toBe(201)
    for (let i = 0; i < 3; i++) expect((await signIn()).status).toBe(200)
  })

  it('end the session sent along, and keep the state of their backup', async () => {
    const backedUp = flags.present | flags.verified | flags.backupEligible | flags.backedUp
    await addPasskey(ada, key)
    const { body: options, headers } = await browser.post(passkeyPaths.sessionOptions)
    const cookie = `${ada.cookie}; ${headers.get('set-cookie')?.split(';')[0]}`
    const both = server.connect(cookie)
    expect((await signInWith(both, key.sign(options, { flags: backedUp }))).status).toBe(200)
    expect((await both.get(paths.sessions)).body.sessions).toHaveLength(1)
    expect(await listOf(both)).toMatchObject([{ isBackedUp: true }])
  })

  it('are refused alike if unknown, altered, foreign, expired, of another browser or without a verified user', async () => {
    await addPasskey(ada, key)
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const differences = [
      { key: privateKey },
      { origin: 'https://evil.example.com' },
      { origin: 'http://staff.example.com' },
      { rpId: 'evil.example.com' },
      { rpId: 'example.com' },
      { type: 'webauthn.create' },
      { flags: flags.present },
      { flags: flags.verified },
      { challenge: Buffer.alloc(54).toString('base64url') },
      { challenge: '' },
      { userHandle: Buffer.from('someone').toString('base64url') },
      { userHandle: '' },
    ]
    for (const different of differences) {
      const response = await signInWith(browser, await signChallenge(browser, key, different))
      expect([different, response]).toMatchObject([different, refused])
    }
    const unknown = await signChallenge(browser, createAuthenticator())
    expect(await signInWith(browser, unknown)).toMatchObject(refused)

    const assertion = await signChallenge(browser, key)
    expect(await signInWith(server.connect(), assertion)).toMatchObject(refused)
    const other = server.connect()
    await signChallenge(other, key)
    expect(await signInWith(other, assertion)).toMatchObject(refused)
    clock.now += challengeTtlMs
    expect(await signInWith(browser, assertion)).toMatchObject(refused)
    expect((await signIn(browser)).status).toBe(200)
  })

  it('have ids of up to 1,023 bytes, which PostgreSQL can index', async () => {
    expect((await addPasskey(ada, createAuthenticator({ idLength: 1023 }))).status).toBe(201)
    for (const idLength of [1024, 2700])
      expect((await addPasskey(ada, createAuthenticator({ idLength }))).body.field).toBe('response')
  })

  it('are not confused with the challenges of new passkeys', async () => {
    await addPasskey(ada, key)
    const { body: creation } = await ada.post(passkeyPaths.options, { password })
    const confused = await signChallenge(browser, key, { challenge: creation.challenge })
    expect(await signInWith(browser, confused)).toMatchObject(refused)
    const { body: request } = await browser.post(passkeyPaths.sessionOptions)
    const response = createAuthenticator().create(creation, { challenge: request.challenge })
    const { body } = await ada.post(passkeyPaths.passkeys, { name: 'x', response })
    expect(body.field).toBe('response')
  })

  it('accept several tabs of a browser, each with a challenge of its own', async () => {
    await addPasskey(ada, key)
    const [first, second] = [await signChallenge(browser, key), await signChallenge(browser, key)]
    const { cookie } = browser
    for (const assertion of [first, second])
      expect((await signInWith(server.connect(cookie), assertion)).status).toBe(200)
  })

  it('let one of many sign in that send the same assertion at once, and none afterwards', async () => {
    await addPasskey(ada, key)
    const assertion = await signChallenge(browser, key)
    const { cookie } = browser
    const send = () => signInWith(server.connect(cookie), assertion)
    const statuses = (await Promise.all(Array.from({ length: 50 }, send))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, ...Array(49).fill(401)])
    await server.restart()
    expect(await send()).toMatchObject(refused)
  })

  it(
    'are refused after any change of what was signed',
    async () => {
      await addPasskey(ada, key)
      const assertion = await signChallenge(browser, key)
      const { cookie } = browser
      const { response } = assertion
      const names = Object.keys(response) as (keyof typeof response)[]
      const random = createRandom(seed)
      const others: unknown[] = []
      for (let i = 0; i < (isNightly ? 10_000 : 60); i++) {
        const name = names[i % names.length] ?? 'signature'
        const mutated = { ...assertion, response: { ...response, [name]: mutate(response[name], random) } }
        const { status } = await signInWith(server.connect(cookie), mutated)
        if (status !== 400 && status !== 401) others.push([status, mutated])
      }
      expect(others).toEqual([])
      expect((await signInWith(browser, assertion)).status).toBe(200)
    },
    timeouts.longTestMs,
  )

  it('are refused once their counter does not increase, and the log says so', async () => {
    await addPasskey(ada, key)
    const high = await signChallenge(browser, key, { counter: 4_000_000_000 })
    expect((await signInWith(browser, high)).status).toBe(200)
    for (const counter of [0, 5, 4_000_000_000]) {
      const client = server.connect()
      expect(await signInWith(client, await signChallenge(client, key, { counter }))).toMatchObject(refused)
    }
    expect(log().match(/somebody may have copied a passkey/g)).toHaveLength(3)
    const client = server.connect()
    const higher = await signChallenge(client, key, { counter: 4_000_000_001 })
    expect((await signInWith(client, higher)).status).toBe(200)
  })

  it('need the password of their account, a challenge of the session and a verified user to be added, once', async () => {
    const guess = await ada.post(passkeyPaths.options, { password: 'a wrong guess' })
    expect(guess).toMatchObject(refusal(401, 'invalid-credentials', 'password'))
    for (const [method, path] of [
      ['GET', passkeyPaths.passkeys],
      ['POST', passkeyPaths.passkeys],
      ['POST', passkeyPaths.options],
      ['DELETE', passkeyPaths.passkeyById('x')],
    ] as const)
      expect((await browser.call(method, path)).body.code).toBe('not-signed-in')

    const { body: options } = await ada.post(passkeyPaths.options, { password })
    const add = (client: TestClient, response: unknown, name = 'x') =>
      client.post(passkeyPaths.passkeys, { name, response })
    const eve = await server.signIn('eve@example.com')
    const invalid = refusal(400, 'invalid-request', 'response')
    expect(await add(eve, key.create(options))).toMatchObject(invalid)
    for (const different of [
      { origin: 'https://evil.example.com' },
      { rpId: 'evil.example.com' },
      { type: 'webauthn.get' },
      { flags: flags.present | flags.hasKey },
      { challenge: 'x' },
    ])
      expect([different, await add(ada, key.create(options, different))]).toMatchObject([different, invalid])
    // The command line prints names, and some characters control a terminal.
    for (const name of [' ', 'a\0', '\u001b[2J', 'a\u009b2J'])
      expect((await add(ada, key.create(options), name)).body.field).toBe('name')
    expect((await add(ada, key.create(options))).status).toBe(201)
    expect(await add(ada, key.create(options))).toMatchObject(invalid)
    // The same challenge, and then the same credential.
    expect(await add(ada, createAuthenticator().create(options))).toMatchObject(invalid)
    expect(await addPasskey(eve, key)).toMatchObject(invalid)
    clock.now += challengeTtlMs
    const late = createAuthenticator().create(options)
    expect(await add(ada, late)).toMatchObject(invalid)
    expect(await listOf(ada)).toHaveLength(1)
  })

  it('are refused with certificates, which the server would have to load others for', async () => {
    const { body: options } = await ada.post(passkeyPaths.options, { password })
    const hex = (text: string) => Buffer.from(text, 'hex')
    // {fmt, attStmt: {alg: -7, sig: h'00', x5c: [h'00']}}
    for (const fmt of ['667061636b6564', '656170706c65', '686669646f2d753266', '63747076', '6474706d']) {
      const attestation = hex(`63666d74${fmt}6761747453746d74a363616c672663736967410063783563814100`)
      const response = key.create(options, { attestation })
      const { status, body } = await ada.post(passkeyPaths.passkeys, { name: 'x', response })
      expect([status, body.field]).toEqual([400, 'response'])
    }
  })

  it(`are refused beyond ${maxPasskeys}, also at once`, async () => {
    const begin = () => ada.post(passkeyPaths.options, { password })
    const begun = await Promise.all(Array.from({ length: maxPasskeys + 2 }, begin))
    const responses = begun.map(({ body }) => createAuthenticator().create(body))
    const added = await Promise.all(
      responses.map((response) => ada.post(passkeyPaths.passkeys, { name: 'x', response })),
    )
    expect(added.filter(({ status }) => status === 201)).toHaveLength(maxPasskeys)
    expect(added.filter(({ body }) => body.code === 'too-many-passkeys')).toHaveLength(2)
    expect((await ada.post(passkeyPaths.options, { password })).body.code).toBe('too-many-passkeys')
  })

  it('are removed one by one, by their account only', async () => {
    const { id } = (await addPasskey(ada, key)).body
    const eve = await server.signIn('eve@example.com')
    expect((await eve.delete(passkeyPaths.passkeyById(id))).status).toBe(404)
    expect((await ada.delete(passkeyPaths.passkeyById(key.id))).status).toBe(404)
    expect((await ada.delete(passkeyPaths.passkeyById(id))).status).toBe(204)
    expect((await ada.delete(passkeyPaths.passkeyById(id))).status).toBe(404)
    expect(await signIn()).toMatchObject(refused)
    const activity = await collect(server.storage.history.loadActivity())
    const kinds = activity.map(({ kind, by }) => `${kind} ${by}`)
    expect(kinds.slice(-4)).toEqual([
      'add-passkey ada@example.com',
      'sign-up eve@example.com',
      'sign-in-first eve@example.com',
      'remove-passkey ada@example.com',
    ])
  })

  it('are kept when the password is changed, and removed by a reset link', async () => {
    await addPasskey(ada, key)
    const next = 'a new and good one'
    expect((await ada.put(paths.password, { password, newPassword: next })).status).toBe(204)
    expect((await signIn()).status).toBe(200)
    const uid = await ada.uid()
    const { token } = await server.links.createReset(uid)
    const begun = await signChallenge(browser, key)
    const reset = { token, newPassword: password }
    expect((await browser.post(paths.passwordReset, reset)).status).toBe(204)
    expect(await signInWith(browser, begun)).toMatchObject(refused)
    expect(await signIn()).toMatchObject(refused)
    expect(await server.storage.passkeys.list(uid)).toEqual([])
  })

  it('tell of a removed account only after a right assertion, and are gone when it is let back in', async () => {
    await addPasskey(ada, key)
    const uid = await ada.uid()
    const eve = await server.signIn('eve@example.com')
    expect((await eve.put(paths.accountRemoval(uid), { password })).status).toBe(204)
    expect((await signIn()).body.code).toBe('account-removed')
    const wrong = await signChallenge(browser, key, { origin: 'https://x.y' })
    expect(await signInWith(browser, wrong)).toMatchObject(refused)
    expect((await eve.delete(paths.accountRemoval(uid))).status).toBe(204)
    expect(await signIn()).toMatchObject(refused)
    expect(await server.testStorage.readRows('passkeys')).toEqual([])
  })

  it('of accounts that are gone, and answered challenges, are forgotten', async () => {
    await addPasskey(ada, key)
    const uid = await ada.uid()
    expect((await signIn()).status).toBe(200)
    const { passkeys, accounts } = server.storage
    const tables = ['passkeys', 'answeredChallenges']
    const count = async () =>
      (await Promise.all(tables.map(server.testStorage.readRows))).map(({ length }) => length)
    expect(await count()).toEqual([1, 2])
    await passkeys.removeExpired(clock.now + challengeTtlMs)
    expect(await count()).toEqual([1, 2])
    await accounts.remove(uid)
    await passkeys.removeExpired(clock.now + 24 * challengeTtlMs)
    expect(await count()).toEqual([0, 0])
  })

  it('sign in on another server of the same database, once', async () => {
    if (server.testStorage.database === 'SQLite') return
    const { testStorage } = server
    const other = await startTestServer({ testStorage, now: () => clock.now, publicUrl, throttleLimits })
    await addPasskey(ada, key)
    const assertion = await signChallenge(browser, key)
    const { cookie } = browser
    const send = ({ connect }: TestServer) => signInWith(connect(cookie), assertion)
    const responses = await Promise.all(Array.from({ length: 20 }, (_, i) => send(i % 2 ? server : other)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('passkeys', () => {
  it.each([
    [new URL('http://staff.example.com'), 'plain-http'],
    [new URL('https://192.168.1.5'), 'ip-address'],
    [new URL('https://[fd00::1]:8443'), 'ip-address'],
    [undefined, 'ip-address'],
  ])('are unavailable at %s, which the list says', async (url, unavailable) => {
    const { client } = await signInAt(startTestServer({ publicUrl: url }))
    expect((await client.get(passkeyPaths.passkeys)).body).toEqual({ passkeys: [], unavailable })
    for (const [path, body] of [
      [passkeyPaths.options, { password }],
      [passkeyPaths.sessionOptions, undefined],
    ] as const)
      expect(await client.post(path, body)).toMatchObject(refusal(409, 'passkeys-unavailable'))
  })

  it.each([
    ['localhost:3000', undefined],
    ['staff.lan', 'plain-http'],
    ['10.0.0.7', 'ip-address'],
  ])('without PUBLIC_URL, at %s: %s', async (host, unavailable) => {
    const { client } = await signInAt(startTestServer({ trustProxy: ['loopback'] }))
    const { body } = await client.get(passkeyPaths.passkeys, { 'x-forwarded-host': host })
    expect(body.unavailable).toBe(unavailable)
    const https = { 'x-forwarded-host': 'staff.example.com', 'x-forwarded-proto': 'https' }
    const response = await client.post(passkeyPaths.sessionOptions, undefined, https)
    expect(response.body.code).toBe('passkeys-unavailable')
  })

  it('count wrong assertions like wrong passwords, and forget them after a right one', async () => {
    const limits = { ...defaultThrottleLimits, failuresPerPair: 3 }
    const server = await startTestServer({ publicUrl, throttleLimits: limits })
    const ada = await server.signIn()
    const key = createAuthenticator()
    await addPasskey(ada, key)
    const signIn = async (userHandle?: string) => {
      const client = server.connect()
      const different = userHandle === undefined ? {} : { userHandle }
      return (await signInWith(client, await signChallenge(client, key, different))).status
    }
    expect([await signIn('x'), await signIn('x'), await signIn()]).toEqual([401, 401, 200])
    expect([await signIn('x'), await signIn('x'), await signIn('x')]).toEqual([401, 401, 401])
    expect(await signIn()).toBe(429)
    expect((await server.connect().signIn('ada@example.com')).status).toBe(429)
  })
})

/** Changes, inserts, removes or repeats a few characters. */
function mutate(text: string, random: (below: number) => number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const at = random(text.length)
  const character = alphabet[random(alphabet.length)]
  const mutated = [
    () => text.slice(0, at) + character + text.slice(at + 1),
    () => text.slice(0, at) + text.slice(at + 1),
    () => text.slice(0, at) + character + text.slice(at),
    () => text.slice(0, at),
    () => text + text.slice(at),
  ][random(5)]?.()
  return mutated === undefined || mutated === text ? `${text}A` : mutated
}
