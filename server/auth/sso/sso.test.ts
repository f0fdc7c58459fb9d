import { beforeEach, describe, expect, it } from 'vitest'
import type { ActivityEntry } from '../../../contract/activity/activity.ts'
import { ssoPaths } from '../../../contract/identity/sso.ts'
import { passkeyPaths } from '../../../contract/passkeys.ts'
import { paths } from '../../../contract/protocol.ts'
import {
  addPasskey,
  createAuthenticator,
  publicUrl,
  signChallenge,
  signInWith,
} from '../../../tests/support/authenticator.ts'
import { password, refusal } from '../../../tests/support/http-client.ts'
import { recordLog, startTestServer, type TestServerOptions } from '../../../tests/support/server.ts'
import { createTestBrowser } from '../../../tests/support/sso/browser.ts'
import { startMadeUpProvider } from '../../../tests/support/sso/made-up-provider.ts'
import {
  type ProviderPerson,
  type RealProviderOptions,
  redirectUri,
  settingsFor,
  startRealProvider,
} from '../../../tests/support/sso/real-provider.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { createUnusableHash } from '../password-hash.ts'
import { defaultThrottleLimits } from '../throttle.ts'
import { checkProvider } from './check.ts'
import type { SsoSettings } from './settings.ts'

const ada: ProviderPerson = {
  sub: 'ada-1',
  email: 'ada@example.com',
  email_verified: true,
  groups: ['staff'],
}
const bob: ProviderPerson = { sub: 'bob-1', email: 'bob@example.com', email_verified: true }
const mia: ProviderPerson = { sub: 'mia-1', email: 'mia@example.com', email_verified: false }

interface ScenarioOptions {
  settings?: Partial<SsoSettings>
  provider?: RealProviderOptions
  server?: TestServerOptions
}

/** A server and the real provider, with a stopped clock and a log. */
async function startScenario({ settings, provider, server: options }: ScenarioOptions = {}) {
  const clock = { now: Date.now() }
  const { logger, text: log } = recordLog()
  const people = [{ ...ada }, { ...bob }, { ...mia }]
  const real = await startRealProvider(people, provider)
  const sso = settingsFor(real.issuer, settings)
  const server = await startTestServer({ sso, logger, now: () => clock.now, ...options })
  const browse = () => createTestBrowser(server.url)
  return { clock, log, people, real, server, browse, sso }
}

describe('security: single sign-on', () => {
  it('signs up who is new, signs in who is known, whatever their email is now, and ends the session sent along', async () => {
    const { server, browse, people, log } = await startScenario()
    const browser = browse()
    const first = await browser.signIn('ada-1')
    expect(first).toMatchObject({ status: 200, body: { email: 'ada@example.com' } })
    expect(first.body).not.toHaveProperty('tookOver')
    Object.assign(people[0] as ProviderPerson, { email: 'ada.king@example.com', email_verified: false })
    expect(await browser.signIn('ada-1')).toEqual(first)
    expect((await browser.get(paths.sessions)).body.sessions).toHaveLength(1)
    const colleagues = (await browser.get(paths.accounts)).body.accounts
    expect(colleagues).toMatchObject([{ email: 'ada@example.com', sso: true }])
    // No password is that of the account.
    const client = server.connect()
    for (const guess of ['', password])
      expect(await client.signIn('ada@example.com', guess)).toMatchObject(refusal(401, 'invalid-credentials'))
    for (const secret of ['a secret', 'code=', 'code"', 'ada-1', 'example.com"'])
      expect([secret, log().includes(secret)]).toEqual([secret, false])
  })

  it('is offered only where it is set', async () => {
    const server = await startTestServer()
    const client = server.connect()
    expect((await client.get(paths.policy)).body).toEqual({ signUp: 'open' })
    const asked = [
      ssoPaths.sessionOptions,
      ssoPaths.session,
      ssoPaths.confirmationOptions,
      ssoPaths.confirmation,
    ]
    for (const path of asked) expect((await client.post(path, {})).status).toBe(404)
    const { browse } = await startScenario({ settings: { isOnly: true } })
    expect((await browse().get(paths.policy)).body.sso).toEqual({ name: 'Example Login', only: true })
  })

  it('refuses an answer in another browser, a second time, with another code or state, and after 15 minutes', async () => {
    const { browse, clock } = await startScenario()
    const [victim, attacker] = [browse(), browse()]
    await victim.begin()
    const response = await attacker.visit(await attacker.begin(), 'ada-1')
    const failed = refusal(401, 'sso-failed')
    expect(await victim.answer(response)).toMatchObject(failed)
    expect(await browse().answer(response)).toMatchObject(failed)
    const other = await attacker.visit(await attacker.begin(), 'ada-1')
    const codeOf = (query: string) => new URLSearchParams(query).get('code') ?? ''
    const swapped = response.replace(codeOf(response), codeOf(other))
    expect(await attacker.answer(swapped)).toMatchObject(failed)
    for (const broken of [
      '?',
      '?code=x',
      `?code=x&state=${'A'.repeat(72)}`,
      `${response}&code=x`,
      response.replace(/state=[^&]+/, '$&&$&'),
      `${response.replace(/&iss=[^&]*/, '')}&iss=https%3A%2F%2Fevil.example.com`,
    ])
      expect([broken, await attacker.answer(broken)]).toMatchObject([broken, failed])
    expect((await attacker.answer(response)).status).toBe(200)
    expect(await attacker.answer(response)).toMatchObject(failed)
    const again = await attacker.visit(await attacker.begin(), 'ada-1')
    expect(await attacker.answer(again.replace(codeOf(again), codeOf(response)))).toMatchObject(failed)
    const late = await attacker.visit(await attacker.begin(), 'ada-1')
    clock.now += 15 * 60_000
    expect(await attacker.answer(late)).toMatchObject(failed)
  })

  it('accepts several tabs of a browser, and any server of the database, but no state from before a restart with another key', async () => {
    const { server, browse, sso } = await startScenario()
    const browser = browse()
    const [first, second] = [await browser.begin(), await browser.begin()]
    const answers = [await browser.visit(first, 'ada-1'), await browser.visit(second, 'ada-1')]
    for (const answer of answers) expect((await browser.answer(answer)).status).toBe(200)
    if (server.testStorage.database === 'PostgreSQL') {
      const other = await startTestServer({ sso, testStorage: server.testStorage })
      const elsewhere = createTestBrowser(other.url, browser.jar)
      const response = await browser.visit(await browser.begin(), 'ada-1')
      expect((await elsewhere.answer(response)).status).toBe(200)
      expect(await browser.answer(response)).toMatchObject(refusal(401, 'sso-failed'))
    }
    await server.restart()
    const response = await browser.visit(await browser.begin(), 'ada-1')
    expect((await browser.answer(response)).status).toBe(200)
  })

  it('takes an account over only with a verified email, ends its password, passkeys, links and sessions, and says so', async () => {
    const { server, browse } = await startScenario({ server: { publicUrl } })
    const [client, eve] = [await server.signIn('ada@example.com'), await server.signIn('mia@example.com')]
    const uid = await client.uid()
    const link = (await eve.post(paths.accountResetLink(uid), { password })).body.token
    const key = createAuthenticator()
    expect((await addPasskey(client, key)).status).toBe(201)
    const { token: invitation } = await server.links.invite(uid)
    expect(await browse().signIn('mia-1')).toMatchObject(refusal(403, 'sso-unverified'))
    expect((await eve.list()).status).toBe(200)

    const browser = browse()
    const { status, body } = await browser.signIn('ada-1')
    expect([status, body.uid, body.tookOver]).toEqual([200, uid, true])
    expect((await client.list()).status).toBe(401)
    expect((await server.connect().signIn('ada@example.com')).status).toBe(401)
    const reset = { token: link, newPassword: 'yet another good one' }
    expect((await client.post(paths.passwordReset, reset)).status).toBe(410)
    const stranger = server.connect()
    expect(await signInWith(stranger, await signChallenge(stranger, key))).toMatchObject(
      refusal(401, 'invalid-credentials'),
    )
    expect((await stranger.post(paths.invitationCheck, { token: invitation })).status).toBe(410)
    expect((await browser.signIn('ada-1')).body).not.toHaveProperty('tookOver')
    const log = await server.testStorage.readRows('activity')
    expect(log.filter(({ kind }) => kind === 'connect-sso')).toHaveLength(1)
  })

  it('does not take an account over with an email that is another mailbox without its invisible characters', async () => {
    const { server, browse, people } = await startScenario()
    const owner = await server.signIn('ada@example.com')
    for (const email of ['ad\u200ba@example.com', '\u2060ada@example.com', 'ada\u00ad@example.com']) {
      Object.assign(people[1] as ProviderPerson, { email })
      expect(await browse().signIn('bob-1')).toMatchObject(refusal(403, 'sso-unverified'))
    }
    expect((await owner.list()).status).toBe(200)
  })

  it('finds the account of an email in any letter case, also of another provider than the first', async () => {
    const { server, browse, people, sso } = await startScenario()
    const uid = await (await server.signIn('ada@example.com')).uid()
    Object.assign(people[0] as ProviderPerson, { email: 'ADA@Example.com' })
    expect((await browse().signIn('ada-1')).body.uid).toBe(uid)
    sso.issuer = new URL((await startRealProvider(people)).issuer)
    await server.restart()
    const [first, second] = [await browse().signIn('ada-1'), await browse().signIn('ada-1')]
    expect([first.body.uid, second.body.uid]).toEqual([uid, uid])
    expect(await server.storage.accounts.list()).toHaveLength(1)
  })

  it('refuses another subject for a connected account until the operator disconnects it', async () => {
    const { server, browse, people } = await startScenario()
    const browser = browse()
    const { body } = await browser.signIn('ada-1')
    people.push({ ...ada, sub: 'ada-2' })
    expect(await browse().signIn('ada-2')).toMatchObject(refusal(409, 'sso-other-person'))
    const { identities } = server.storage
    expect(await identities.disconnect(body.uid)).toHaveLength(1)
    expect(await identities.disconnect(body.uid)).toBeUndefined()
    const connected = await browse().signIn('ada-2')
    expect(connected).toMatchObject({ status: 200, body: { uid: body.uid } })
    expect(await browse().signIn('ada-1')).toMatchObject(refusal(409, 'sso-other-person'))
  })

  it('refuses who was removed, also after 30 days and as somebody new, until let back in or invited', async () => {
    const { server, browse, clock, people } = await startScenario({
      settings: { admitsAll: true },
      server: { signUp: 'invited' },
    })
    const [browser, boss] = [browse(), await server.signIn('boss@example.com')]
    const { uid } = (await browser.signIn('ada-1')).body
    const removed = refusal(403, 'account-removed')
    expect((await boss.put(paths.accountRemoval(uid), { password })).status).toBe(204)
    people.push({ ...ada, sub: 'ada-2' })
    for (const sub of ['ada-1', 'ada-2']) expect(await browse().signIn(sub)).toMatchObject(removed)
    expect((await boss.delete(paths.accountRemoval(uid))).status).toBe(204)
    expect((await browse().signIn('ada-1')).body.uid).toBe(uid)

    await boss.put(paths.accountRemoval(uid), { password })
    clock.now += 6 * 24 * 60 * 60_000
    for (let i = 0; i < 6; i++, clock.now += 6 * 24 * 60 * 60_000) await boss.list()
    await server.storage.accounts.forgetRemoved(clock.now)
    for (const sub of ['ada-1', 'ada-2']) expect(await browse().signIn(sub)).toMatchObject(removed)
    const { token } = await server.links.invite(null)
    const invited = await browse().signIn('ada-1', token)
    expect(invited).toMatchObject({ status: 200, body: { email: 'ada@example.com' } })
    expect(invited.body.uid).not.toBe(uid)
    expect((await browse().signIn('ada-1')).body.uid).toBe(invited.body.uid)
  })

  it('gives who was removed no colleague’s account, whatever their email at the provider becomes', async () => {
    const { server, browse, people } = await startScenario()
    const { uid } = (await browse().signIn('ada-1')).body
    const boss = await server.signIn('boss@example.com')
    expect((await boss.put(paths.accountRemoval(uid), { password })).status).toBe(204)
    Object.assign(people[0] as ProviderPerson, { email: 'boss@example.com' })
    expect(await browse().signIn('ada-1')).toMatchObject(refusal(403, 'account-removed'))
    expect((await boss.list()).status).toBe(200)
    // Who has been added again with the email from then signs in.
    Object.assign(people[0] as ProviderPerson, { email: 'ada@example.com' })
    const account = { uid: 'added-again', email: 'ada@example.com', emailKey: 'ada@example.com' }
    const createdAt = new Date().toISOString()
    await server.storage.accounts.add({ ...account, passwordHash: createUnusableHash(), createdAt })
    expect(await browse().signIn('ada-1')).toMatchObject({ status: 200, body: { uid: 'added-again' } })
  })

  it('lets who was removed have a new account with another email once the operator has disconnected them', async () => {
    const { server, browse, people } = await startScenario({ settings: { admitsAll: true } })
    const { uid } = (await browse().signIn('ada-1')).body
    const boss = await server.signIn('boss@example.com')
    expect((await boss.put(paths.accountRemoval(uid), { password })).status).toBe(204)
    const { identities, accounts } = server.storage
    await accounts.remove(uid)
    Object.assign(people[0] as ProviderPerson, { email: 'ada.king@example.com' })
    expect(await browse().signIn('ada-1')).toMatchObject(refusal(403, 'account-removed'))
    expect(await identities.disconnect(uid)).toEqual([])
    const added = await browse().signIn('ada-1')
    expect(added).toMatchObject({ status: 200, body: { email: 'ada.king@example.com' } })
    expect(added.body.uid).not.toBe(uid)
  })

  it('does not go around invitations: it needs one where they are needed, for the right email, once', async () => {
    const { server, browse } = await startScenario({ server: { signUp: 'invited' } })
    expect(await browse().signIn('ada-1')).toMatchObject(refusal(403, 'sign-up-closed'))
    const { token: bound } = await server.links.invite(null, 'ada@example.com')
    expect(await browse().signIn('bob-1', bound)).toMatchObject(refusal(400, 'invalid-email', 'email'))
    expect((await browse().signIn('ada-1', bound)).status).toBe(200)
    expect(await browse().signIn('bob-1', bound)).toMatchObject(refusal(410, 'invalid-link', 'invitation'))
    const { token } = await server.links.invite(null)
    // Who has an account does not use it up.
    expect((await browse().signIn('ada-1', token)).status).toBe(200)
    expect((await browse().signIn('bob-1', token)).status).toBe(200)
  })

  it.each([
    ['closed', {}, 403],
    ['closed', { admitsAll: true }, 200],
    ['invited', { admitsAll: true }, 200],
    ['open', {}, 200],
  ] as const)('where sign-up is %s, with %o, answers %i to who is new', async (signUp, settings, status) => {
    const { browse } = await startScenario({ settings, server: { signUp } })
    expect((await browse().signIn('ada-1')).status).toBe(status)
  })

  it('creates one account when six first sign-ins come at once', async () => {
    const { server, browse } = await startScenario()
    const browsers = Array.from({ length: 6 }, browse)
    const answers = await Promise.all(browsers.map(async (each) => each.visit(await each.begin(), 'ada-1')))
    const all = await Promise.all(browsers.map((each, i) => each.answer(answers[i] ?? '')))
    expect(new Set(all.map(({ status, body }) => `${status} ${body.uid}`)).size).toBe(1)
    expect(await server.storage.accounts.list()).toHaveLength(1)
  })

  it.each(['client_secret_basic', 'client_secret_post', 'none'] as const)(
    'authenticates by %s, also with claims that are in userinfo only',
    async (method) => {
      const { browse } = await startScenario({
        provider: { method, onlyInUserInfo: true },
        settings: {
          ...(method === 'none' ? { clientSecret: undefined } : {}),
          scopes: 'openid email groups',
          required: new Map([['groups', ['admins', 'staff']]]),
        },
      })
      for (let i = 0; i < 2; i++) expect((await browse().signIn('ada-1')).status).toBe(200)
      expect(await browse().signIn('bob-1')).toMatchObject(refusal(403, 'sso-not-allowed'))
    },
  )

  it.each(['client_secret_basic', 'client_secret_post', 'none'] as const)(
    'is checked for the operator, with a client that authenticates by %s',
    async (method) => {
      const { issuer } = await startRealProvider([ada], { method })
      const check = async (different: Partial<SsoSettings>) =>
        (await checkProvider(settingsFor(issuer, different))).problems
      const unknown = [expect.stringMatching(/^It does not accept OIDC_CLIENT_ID.* \(.*invalid_client/)]
      const right = method === 'none' ? { clientSecret: undefined } : {}
      expect(await check(right)).toEqual([])
      expect(await check({ ...right, clientId: 'unknown' })).toEqual(unknown)
      if (method !== 'none')
        for (const clientSecret of ['wrong', undefined])
          expect(await check({ clientSecret })).toEqual(unknown)
      expect(await check({ ...right, issuer: new URL('/realms/x', issuer) })).toEqual([
        expect.stringContaining('does not answer as a provider does'),
      ])
    },
  )

  it('starts without the provider, says that it is not available, and works when it comes', async () => {
    const first = await startRealProvider([ada])
    const port = Number(new URL(first.issuer).port)
    await first.stop()
    let now = Date.now()
    const server = await startTestServer({ sso: settingsFor(first.issuer), now: () => now })
    const browser = createTestBrowser(server.url)
    for (let i = 0; i < 2; i++)
      expect(await browser.post(ssoPaths.sessionOptions)).toMatchObject(refusal(503, 'sso-unavailable'))
    expect((await (await server.signIn('eve@example.com')).list()).status).toBe(200)
    await startRealProvider([ada], { port })
    now += 3000
    expect((await browser.signIn('ada-1')).status).toBe(200)
  })

  it('security: reads no cookie that another site of the domain, or one without HTTPS, can have planted', async () => {
    const { server, browse } = await startScenario({
      server: { trustProxy: ['loopback'], publicUrl: new URL(redirectUri) },
    })
    const https = { 'x-forwarded-proto': 'https', host: 'staff.example.com' }
    const attacker = browse()
    const asked = await attacker.call('POST', ssoPaths.sessionOptions, undefined, https)
    const response = await attacker.visit(new URL(asked.body.url), 'ada-1')
    const [[name, secret] = ['', '']] = attacker.jar.cookies
    expect(name).toMatch(/^__Host-sso-/)
    const victim = createTestBrowser(server.url)
    for (const planted of ['sso', name.replace('__Host-', ''), name.toLowerCase()])
      victim.jar.cookies.set(planted, secret)
    const answer = (browser: typeof victim) => browser.call('POST', ssoPaths.session, { response }, https)
    expect(await answer(victim)).toMatchObject(refusal(401, 'sso-failed'))
    expect((await answer(attacker)).status).toBe(200)
  })

  it('signs in and confirms at a provider that wants every request sent to it directly', async () => {
    const { browse } = await startScenario({ provider: { requiresPushed: true } })
    const browser = browse()
    expect([...(await browser.begin()).searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
    expect((await browser.signIn('ada-1')).status).toBe(200)
    expect((await browser.confirm('ada-1')).status).toBe(204)
  })

  it('begins no more sign-ins from one address than the provider should be sent requests for', async () => {
    const throttleLimits = { ...defaultThrottleLimits, pushesPerAddress: 2 }
    const server = { throttleLimits, trustProxy: ['loopback'] }
    const { browse } = await startScenario({ provider: { requiresPushed: true }, server })
    const browser = browse()
    const beginFrom = async (address: string, path: string = ssoPaths.sessionOptions) =>
      (await browser.call('POST', path, undefined, { 'x-forwarded-for': address })).status
    expect((await browser.signIn('ada-1')).status).toBe(200)
    for (const status of [200, 200, 429]) expect(await beginFrom('9.9.9.9')).toBe(status)
    expect(await beginFrom('9.9.9.9', ssoPaths.confirmationOptions)).toBe(429)
    expect(await beginFrom('8.8.8.8', ssoPaths.confirmationOptions)).toBe(200)
    const other = await startScenario({ server })
    for (let i = 0; i < 5; i++) await other.browse().begin()
  })

  it('lasts SESSION_DAYS, as every session does', async () => {
    const { browse, clock, server } = await startScenario({ server: { sessionDays: 1 } })
    const [browser, client] = [browse(), await server.signIn('eve@example.com')]
    await browser.signIn('ada-1')
    clock.now += 24 * 60 * 60_000 - 1
    expect([(await browser.get(paths.session)).status, (await client.list()).status]).toEqual([200, 200])
    clock.now += 1
    expect([(await browser.get(paths.session)).status, (await client.list()).status]).toEqual([401, 401])
  })

  it('counts refused answers as failed sign-ins of the address, and says when the provider refuses', async () => {
    const limits = { failuresPerAddress: 3, failuresPerPair: 9, failuresPerAccount: 9, signUpsPerAddress: 9 }
    const { browse, log } = await startScenario({ server: { throttleLimits: limits } })
    const browser = browse()
    for (let i = 0; i < 2; i++) expect((await browser.signIn('ada-1')).status).toBe(200)
    expect(await browse().signIn('')).toMatchObject(refusal(401, 'sso-cancelled'))
    for (let i = 0; i < 2; i++) expect((await browser.answer('?code=x&state=x')).status).toBe(401)
    expect((await browser.signIn('ada-1')).status).toBe(429)
    expect(log()).not.toContain('a text of the provider')
  })

  it('lets who was refused, or has signed out, choose whom to sign in as there, where they are signed in still', async () => {
    const { browse } = await startScenario()
    const browser = browse()
    const asks = async () => (await browser.begin()).searchParams.get('prompt') !== null
    expect(await asks()).toBe(false)
    expect(await browser.signIn('mia-1')).toMatchObject(refusal(403, 'sso-unverified'))
    expect((await browser.signIn('ada-1')).body.email).toBe('ada@example.com')
    expect(await asks()).toBe(false)
    expect((await browser.signIn('bob-1')).body.email).toBe('ada@example.com')
    expect((await browser.call('DELETE', paths.session)).status).toBe(204)
    expect((await browser.signIn('bob-1')).body.email).toBe('bob@example.com')
    // Nobody else is asked, nor who has cancelled there.
    await browse().signIn('mia-1')
    const stranger = browse()
    expect(await stranger.signIn('')).toMatchObject(refusal(401, 'sso-cancelled'))
    expect((await stranger.begin()).searchParams.get('prompt')).toBeNull()
  })

  it('counts sign-ins and refusals in the metrics', async () => {
    const metrics = createMetrics()
    const { browse } = await startScenario({ server: { metrics } })
    await browse().signIn('ada-1')
    await browse().signIn('mia-1')
    // A response is counted when it has been sent.
    const lines = async () => (await metrics.render()).split('\n')
    await expect.poll(lines).toContain('staffbook_sign_ins_total{result="signed-in"} 1')
    await expect.poll(lines).toContain('staffbook_sign_ins_total{result="refused"} 1')
    expect(await lines()).toContain('staffbook_refusals_total{code="sso-unverified"} 1')
  })

  it('logs what the provider does not say of somebody who is refused', async () => {
    const { browse, log, sso, people } = await startScenario({
      settings: { scopes: 'openid email groups' },
    })
    people.push({ sub: 'eve-1' }, { sub: 'joe-1', email: 'joe@example.com' })
    for (const sub of ['mia-1', 'eve-1', 'joe-1']) await browse().signIn(sub)
    sso.required = new Map([
      ['groups', ['admins']],
      ['hd', ['example.com']],
    ])
    await browse().signIn('ada-1')
    for (const reason of [
      'unverified: email_verified is not true',
      'unverified: no claim email',
      'unverified: no claim email_verified',
      'other values in the claim groups; no claim hd',
    ])
      expect(log()).toContain(`"reason":"${reason}"`)
    expect(log()).not.toMatch(/staff|admins|mia@|joe@/)
  })

  it('repeats and logs nothing of a hostile query', async () => {
    const { browse, log, real } = await startScenario()
    const browser = browse()
    const iss = encodeURIComponent(real.issuer)
    const state = (await browser.begin()).searchParams.get('state')
    for (const [query, code] of [
      ['error=%3Cscript%3E&error_description=%3Cscript%3E&error_uri=javascript:alert(1)', 'sso-cancelled'],
      ['error=%0A%7B%22level%22%3A60%7D', 'sso-cancelled'],
      ['__proto__[code]=x&constructor=x', 'sso-failed'],
      ['code=%00', 'sso-failed'],
      ['code=x&id_token=x&access_token=x&response=x', 'sso-failed'],
    ]) {
      const { status, body } = await browser.answer(`?${query}&state=${state}&iss=${iss}`)
      expect([query, status, body.code]).toEqual([query, 401, code])
      expect(JSON.stringify(body)).not.toMatch(/script|alert|level/)
    }
    expect(log()).not.toMatch(/script|alert|"level":60/)
    expect(await browser.answer(`?code=${'x'.repeat(8000)}`)).toMatchObject(refusal(400, 'invalid-request'))
  })

  it('counts what it refuses in the activity of the account, if there is one', async () => {
    const { server, browse, people, sso } = await startScenario({ server: { signUp: 'invited' } })
    const boss = await server.signIn('boss@example.com')
    const uid = await (await server.signIn('ada@example.com')).uid()
    await browse().signIn('ada-1')
    const refusals = async () =>
      (await boss.get(`${paths.activity}?kind=sign-ins`)).body.entries
        .filter(({ kind }: { kind: string }) => kind === 'refuse-sign-in')
        .map(({ account, count }: { account: string; count: number }) => [account, count])
    people.push({ ...ada, sub: 'ada-2' })
    // Of another subject, of nobody, and of an email that is not verified.
    for (const sub of ['ada-2', 'bob-1', 'mia-1']) await browse().signIn(sub)
    await expect.poll(refusals).toEqual([['ada@example.com', 1]])
    sso.required = new Map([['groups', ['admins']]])
    for (const sub of ['ada-1', 'ada-2']) await browse().signIn(sub)
    await expect.poll(refusals).toEqual([['ada@example.com', 3]])
    sso.required = new Map()
    await server.storage.accounts.remove(uid)
    for (const sub of ['ada-1', 'ada-2']) await browse().signIn(sub)
    await expect.poll(refusals).toEqual([['ada@example.com', 5]])
  })

  it('has in the activity who was connected, signed in, was refused and was disconnected, also where the account had a password', async () => {
    const { server, browse, people } = await startScenario()
    const client = await server.signIn('ada@example.com')
    const uid = await client.uid()
    await browse().signIn('ada-1')
    const browser = browse()
    await browser.signIn('bob-1')
    people.push({ ...ada, sub: 'ada-2' })
    await browse().signIn('ada-2')
    const list = async (query: string): Promise<ActivityEntry[]> =>
      (await browser.get(`${paths.activity}${query}`)).body.entries
    await expect.poll(async () => (await list(''))[0]?.kind).toBe('refuse-sign-in')
    await server.storage.identities.disconnect(uid)
    const told = async (query: string) =>
      (await list(query)).map(({ kind, by, account, count }) => [kind, by ?? account, count])
    const [ofAda, ofBob] = ['ada@example.com', 'bob@example.com']
    const first = [
      ['sign-in-first', ofAda, undefined],
      ['sign-up', ofAda, undefined],
    ]
    const connected = ['connect-sso', ofAda, undefined]
    const signedIn = [expect.stringMatching(/^sign-in(-new-browser)?$/), ofAda, undefined]
    const disconnected = ['disconnect-sso', ofAda, undefined]
    expect(await told('')).toEqual([
      disconnected,
      ['refuse-sign-in', ofAda, 1],
      ['sign-in-first', ofBob, undefined],
      ['connect-sso', ofBob, undefined],
      ['sign-up', ofBob, undefined],
      ...[signedIn, connected, ...first],
    ])
    expect(await told(`?by=${uid}`)).toEqual([signedIn, connected, ...first])
    expect(await told('?by=&kind=sign-ins')).toEqual([disconnected])
  })

  it('lets an account without a password have one by a reset link, for when there is no provider any more', async () => {
    const { server, browse } = await startScenario()
    const { uid, email } = (await browse().signIn('ada-1')).body
    const { token } = await server.links.createReset(uid)
    const newPassword = 'yet another good one'
    const stranger = server.connect()
    expect((await stranger.post(paths.passwordReset, { token, newPassword })).status).toBe(204)
    expect((await stranger.signIn(email, newPassword)).status).toBe(200)
  })

  it('with OIDC_ONLY, refuses passwords, passkeys and reset links on the server', async () => {
    const { server, browse, sso } = await startScenario()
    const client = await server.signIn('bob@example.com')
    const { token } = await server.links.createReset(await client.uid())
    const browser = browse()
    await browser.signIn('ada-1')
    sso.isOnly = true
    await server.restart()
    const only = refusal(403, 'sso-only')
    const newPassword = 'yet another good one'
    const stranger = server.connect()
    expect(await stranger.signUp('eve@example.com')).toMatchObject(only)
    expect(await stranger.signIn('bob@example.com')).toMatchObject(only)
    expect(await stranger.post(paths.passwordReset, { token, newPassword })).toMatchObject(only)
    expect(await stranger.post(paths.passwordResetCheck, { token })).toMatchObject(only)
    expect(await stranger.post(passkeyPaths.sessionOptions)).toMatchObject(only)
    expect(await browser.call('PUT', paths.password, { password, newPassword })).toMatchObject(only)
    for (const path of [passkeyPaths.options, paths.accountResetLink('x')])
      expect(await browser.post(path, { password })).toMatchObject(only)
    // Sessions go on, and what has always asked for the password still does.
    const uid = (await browser.get(paths.session)).body.uid
    expect((await client.put(paths.accountRemoval(uid), { password })).status).toBe(204)
    expect(await browse().signIn('ada-1')).toMatchObject(refusal(403, 'account-removed'))
    expect((await browse().signIn('bob-1')).status).toBe(200)
  })

  it('with OIDC_ONLY, asks the provider in place of the password that an account has from before', async () => {
    const { server, browse, sso } = await startScenario()
    const browser = browse()
    await browser.signIn('ada-1')
    await browser.confirm('ada-1')
    const newPassword = 'yet another good one'
    expect((await browser.call('PUT', paths.password, { password: '', newPassword })).status).toBe(204)
    const { uid } = (await browse().signIn('bob-1')).body
    sso.isOnly = true
    await server.restart()
    const remove = (own: string) => browser.call('PUT', paths.accountRemoval(uid), { password: own })
    expect(await browser.confirmation()).toMatchObject({ by: 'sso' })
    expect(await remove(newPassword)).toMatchObject(refusal(403, 'confirmation-needed'))
    await browser.confirm('ada-1')
    expect((await remove('')).status).toBe(204)
  })
})

describe('security: confirmation by single sign-on', () => {
  let scenario: Awaited<ReturnType<typeof startScenario>>
  let browser: ReturnType<typeof createTestBrowser>
  let uid: string

  beforeEach(async () => {
    scenario = await startScenario()
    browser = scenario.browse()
    await browser.signIn('ada-1')
    uid = await (await scenario.server.signIn('bob@example.com')).uid()
  })

  const act = () => browser.post(paths.accountResetLink(uid), { password: '' })

  it('stands in for the password that an account does not have, for 5 minutes', async () => {
    const needed = refusal(403, 'confirmation-needed')
    expect(await act()).toMatchObject(needed)
    expect(await browser.confirmation()).toEqual({ by: 'sso', connected: true, confirmed: false })
    expect((await browser.confirm('ada-1')).status).toBe(204)
    expect(await browser.confirmation()).toMatchObject({ confirmed: true })
    for (let i = 0; i < 2; i++) expect((await act()).status).toBe(201)
    scenario.clock.now += 5 * 60_000
    expect(await act()).toMatchObject(needed)
  })

  it('sets a password, which then confirms instead', async () => {
    await browser.confirm('ada-1')
    const change = { password: '', newPassword: 'yet another good one' }
    expect((await browser.call('PUT', paths.password, change)).status).toBe(204)
    expect(await browser.confirmation()).toEqual({ by: 'password', connected: true, confirmed: false })
    expect(await browser.post(ssoPaths.confirmationOptions)).toMatchObject(refusal(400, 'invalid-request'))
    expect((await act()).status).toBe(401)
    expect((await browser.post(paths.accountResetLink(uid), { password: change.newPassword })).status).toBe(
      201,
    )
  })

  it('is of this session, this account and this browser only', async () => {
    const failed = refusal(401, 'sso-failed')
    const elsewhere = createTestBrowser(scenario.server.url, browser.jar)
    expect(await elsewhere.confirm('bob-1')).toMatchObject(refusal(401, 'sso-other-account'))
    const signIn = await browser.visit(await browser.begin(), 'ada-1')
    expect(await browser.post(ssoPaths.confirmation, { response: signIn })).toMatchObject(failed)
    const confirming = await browser.visit(await browser.begin(ssoPaths.confirmationOptions), 'ada-1')
    expect(await browser.answer(confirming)).toMatchObject(failed)
    const other = scenario.browse()
    await other.signIn('ada-1')
    expect(await other.post(ssoPaths.confirmation, { response: confirming })).toMatchObject(failed)
    expect((await browser.post(ssoPaths.confirmation, { response: confirming })).status).toBe(204)
    expect(await browser.post(ssoPaths.confirmation, { response: confirming })).toMatchObject(failed)
    const [name, proof] = [...browser.jar.cookies].find(([name]) => name.startsWith('confirmed')) ?? ['', '']
    other.jar.cookies.set(name, proof)
    expect(await other.post(paths.accountResetLink(uid), { password: '' })).toMatchObject(
      refusal(403, 'confirmation-needed'),
    )
    const late = await browser.visit(await browser.begin(ssoPaths.confirmationOptions), 'ada-1')
    await browser.call('DELETE', paths.session)
    expect((await act()).status).toBe(401)
    expect((await browser.post(ssoPaths.confirmation, { response: late })).status).toBe(401)
    await browser.signIn('ada-1')
    expect(await browser.post(ssoPaths.confirmation, { response: late })).toMatchObject(failed)
    expect(await act()).toMatchObject(refusal(403, 'confirmation-needed'))
  })

  it('cannot be had without a new sign-in there by changing the address to which the browser goes', async () => {
    const address = await browser.begin(ssoPaths.confirmationOptions)
    expect(address.search).not.toMatch(/prompt|max_age|nonce|code_challenge/)
    for (const name of ['prompt', 'max_age'])
      address.searchParams.set(name, name === 'prompt' ? 'none' : '9999')
    // The provider asks who they are, although they are signed in there.
    expect(await browser.visit(address, '')).toContain('error=access_denied')
  })

  it('cannot be had so either where the provider accepts no direct request, once it has said when somebody has signed in', async () => {
    const { browse } = await startScenario({ provider: { acceptsPushed: false } })
    const browser = browse()
    await browser.signIn('ada-1')
    expect((await browser.confirm('ada-1')).status).toBe(204)
    const address = await browser.begin(ssoPaths.confirmationOptions)
    for (const name of ['prompt', 'max_age']) address.searchParams.delete(name)
    const response = await browser.visit(address, '')
    expect(response).toContain('code=')
    expect(await browser.post(ssoPaths.confirmation, { response })).toMatchObject(refusal(401, 'sso-failed'))
  })

  it('needs a sign-in there after it was asked for, where the provider says when that was', async () => {
    const made = await startMadeUpProvider()
    const clock = { now: Date.now() }
    const server = await startTestServer({ sso: settingsFor(made.issuer), now: () => clock.now })
    const browser = createTestBrowser(server.url)
    const answer = async (path: string, authTime?: number) => {
      const address = await browser.begin(path)
      const state = address.searchParams.get('state') ?? ''
      made.nonce = address.searchParams.get('nonce') ?? ''
      made.claims.auth_time = authTime
      if (path === ssoPaths.confirmationOptions)
        expect([address.searchParams.get('prompt'), address.searchParams.get('max_age')]).toEqual([
          'login',
          '0',
        ])
      return `?code=x&state=${state}`
    }
    expect((await browser.answer(await answer(ssoPaths.sessionOptions))).status).toBe(200)
    const confirm = async (authTime?: number) =>
      (
        await browser.post(ssoPaths.confirmation, {
          response: await answer(ssoPaths.confirmationOptions, authTime),
        })
      ).status
    const now = Math.floor(clock.now / 1000)
    // Google does not say.
    expect(await confirm()).toBe(204)
    expect([
      await confirm(now - 3600),
      await confirm(now - 40),
      await confirm(now - 20),
      await confirm(now),
    ]).toEqual([401, 401, 204, 204])
    // Who has said so before does so always.
    expect(await confirm()).toBe(401)
  })

  it('is not offered to an account with a password alone', async () => {
    const client = await scenario.server.signIn('eve@example.com')
    expect((await client.get(ssoPaths.confirmation)).body).toEqual({
      by: 'password',
      connected: false,
      confirmed: false,
    })
    expect(await client.post(ssoPaths.confirmationOptions)).toMatchObject(refusal(400, 'invalid-request'))
  })
})
