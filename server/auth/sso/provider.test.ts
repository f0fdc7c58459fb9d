import { generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Handler, startMadeUpProvider } from '../../../tests/support/sso/made-up-provider.ts'
import { clientSecret, settingsFor } from '../../../tests/support/sso/real-provider.ts'
import { checkProvider } from './check.ts'
import { createProvider, type Proof } from './provider.ts'
import type { SsoSettings } from './settings.ts'

const proof: Proof = { state: 'the state', nonce: 'the nonce', verifier: 'v'.repeat(43) }
const response = new URLSearchParams({ code: 'a code', state: proof.state })

describe('security: a provider of single sign-on', () => {
  let made: Awaited<ReturnType<typeof startMadeUpProvider>>

  beforeEach(async () => {
    made = await startMadeUpProvider()
    made.nonce = proof.nonce
  })

  const open = (different?: Partial<SsoSettings>, now?: () => number) =>
    createProvider(settingsFor(made.issuer, different), now)
  const verify = (different?: Partial<SsoSettings>, answer = response) =>
    open(different).verify(answer, proof)

  it('vouches for somebody with a verified email', async () => {
    expect(await verify()).toEqual({
      issuer: made.issuer,
      subject: 'ada-1',
      email: { email: 'ada@example.com', emailKey: 'ada@example.com' },
      isAllowed: true,
      lacks: [],
      authenticatedAt: undefined,
    })
    const [{ body }] = made.requests as [(typeof made.requests)[0]]
    expect(Object.fromEntries(body)).toMatchObject({ code: 'a code', code_verifier: proof.verifier })
  })

  it.each([
    ['no nonce', { nonce: undefined }],
    ['another audience', { aud: 'x' }],
    ['another issuer', { iss: 'https://evil.example.com' }],
    ['no subject', { sub: undefined }],
    ['a subject that is too long', { sub: 'x'.repeat(256) }],
    ['a subject that databases store as another one', { sub: 'ada-1\ud800' }],
    ['a subject that PostgreSQL can’t store', { sub: 'ada-1\u0000' }],
  ])('is not believed with %s in its ID token', async (_, claims) => {
    Object.assign(made.claims, claims)
    await expect(verify()).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('is not believed about a code of another sign-in, which has another nonce', async () => {
    made.claims.nonce = 'x'
    await expect(verify()).rejects.toMatchObject({ kind: 'invalid' })
  })

  it('is believed with a clock that differs by 29 seconds, and not by 31', async () => {
    const now = Date.now()
    vi.spyOn(Date, 'now').mockReturnValue(now)
    const seconds = Math.floor(now / 1000)
    const { exp } = made.claims
    for (const difference of [29, 31]) {
      for (const claims of [
        { exp: seconds - difference, nbf: undefined },
        { exp, nbf: seconds + difference },
      ]) {
        Object.assign(made.claims, claims)
        const verified = await verify().catch(({ kind }) => kind)
        expect([difference, verified.subject ?? verified]).toEqual([
          difference,
          difference === 29 ? 'ada-1' : 'unavailable',
        ])
      }
    }
  })

  it('is not believed with a token that another key, its client’s secret or nobody has signed, or without one', async () => {
    made.algorithm = 'none'
    await expect(verify()).rejects.toMatchObject({ kind: 'unavailable' })
    made.algorithm = 'HS256'
    made.signingKey = clientSecret
    await expect(verify()).rejects.toMatchObject({ kind: 'unavailable' })
    made.algorithm = 'RS256'
    made.signingKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    await expect(verify()).rejects.toMatchObject({ kind: 'unavailable' })
    made.handlers['/token'] = (_request, reply) =>
      reply
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"access_token":"x","token_type":"Bearer"}')
    await expect(verify()).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('is not asked with two codes, two states, or the answer of another provider', async () => {
    for (const query of [
      'code=a&code=b&state=the+state',
      'code=a&state=the+state&state=the+state',
      'state=the+state',
      'code=a&state=the+state&iss=https%3A%2F%2Fevil.example.com',
    ])
      await expect(verify({}, new URLSearchParams(query))).rejects.toMatchObject({ kind: 'invalid' })
    made.metadata = { authorization_response_iss_parameter_supported: true }
    await expect(verify()).rejects.toMatchObject({ kind: 'invalid' })
    expect(made.requests).toEqual([])
  })

  it.each([
    ['with new names', (i: number) => `key-${i}`],
    ['with the same name', () => 'key'],
    ['without names', () => undefined],
  ])('may change its keys between two sign-ins, %s', async (_, nameKey) => {
    const provider = open()
    for (const i of [1, 2, 3]) {
      made.rotate(nameKey(i))
      expect((await provider.verify(response, proof)).subject).toBe('ada-1')
    }
  })

  it('may have written its slash at the end otherwise than the setting', async () => {
    const issuer = `${made.issuer}/application/o/staffbook/`
    const metadata = { issuer, authorization_endpoint: `${made.issuer}/authorize` }
    made.handlers['/application/o/staffbook/.well-known/openid-configuration'] = (_request, reply) =>
      reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata))
    for (const given of [issuer, issuer.slice(0, -1)])
      expect(await open({ issuer: new URL(given) }).createAddress(proof)).toContain(
        `${made.issuer}/authorize?`,
      )
  })

  it.each(['invalid_client', 'unauthorized_client'])(
    'gets the secret by the other way if it refuses one as %s, and from then on',
    async (error) => {
      made.handlers['/token'] = (_request, reply) => {
        delete made.handlers['/token']
        reply.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
      }
      const provider = open()
      for (let i = 0; i < 2; i++) expect((await provider.verify(response, proof)).subject).toBe('ada-1')
      const ways = made.requests.map(({ authorization, body }) => [authorization, body.get('client_secret')])
      expect(ways).toEqual(Array(2).fill([undefined, clientSecret]))
    },
  )

  it.each([
    ['javascript:alert(1)'],
    ['http://evil.example.com/authorize'],
    ['data:text/html,x'],
    ['https://user:secret@evil.example.com/authorize'],
  ])('does not send the browser to %s', async (address) => {
    made.metadata = { authorization_endpoint: address }
    await expect(open().createAddress(proof)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it.each(['token_endpoint', 'jwks_uri'])(
    'is not sent anything at a %s without HTTPS elsewhere',
    async (name) => {
      const fetching = vi.spyOn(globalThis, 'fetch')
      made.metadata = { [name]: 'http://evil.example.com/' }
      await expect(verify()).rejects.toThrow()
      expect(fetching.mock.calls.filter(([address]) => String(address).includes('evil'))).toEqual([])
    },
  )

  it.each<[string, Handler]>([
    ['answers 500', (_request: unknown, reply: ServerResponse) => reply.writeHead(500).end()],
    ['sends a page', (_request: unknown, reply: ServerResponse) => reply.end('<h1>Maintenance</h1>')],
    ['sends 2 MB', (_request: unknown, reply: ServerResponse) => reply.end(`"${'x'.repeat(2 ** 21)}"`)],
    [
      'redirects',
      (_request: unknown, reply: ServerResponse) =>
        reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ],
    ['closes the connection', (request: IncomingMessage) => request.socket.destroy()],
  ])('is not available if it %s', async (_, handler) => {
    made.handlers['/token'] = handler
    await expect(verify()).rejects.toMatchObject({ kind: 'unavailable' })
    made.handlers['/.well-known/openid-configuration'] = handler
    await expect(open().createAddress(proof)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('is not available if it describes itself at a length that each sign-in would copy, and the reason says so', async () => {
    made.metadata = { authorization_endpoint: `${made.issuer}/authorize?x=${'x'.repeat(70_000)}` }
    await expect(open().createAddress(proof)).rejects.toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining('is larger than 64 KB'),
    })
  })

  it('is not available where this machine forbids the connection, as a unit of systemd does, and the reason says so', async () => {
    const cause = Object.assign(new Error('connect EPERM 192.0.2.1:443'), { code: 'EPERM' })
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed', { cause }))
    await expect(open().createAddress(proof)).rejects.toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining('IPAddressAllow'),
    })
  })

  it('that hangs, or sends its response slowly, is given up', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(50))
    made.handlers['/.well-known/openid-configuration'] = () => {}
    await expect(open().createAddress(proof)).rejects.toMatchObject({ kind: 'unavailable' })
    made.handlers['/.well-known/openid-configuration'] = (_request, reply) => reply.write('{')
    await expect(open().createAddress(proof)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('is left alone for some seconds after a failure, and is known for an hour', async () => {
    let [now, asked] = [1, 0]
    made.handlers['/.well-known/openid-configuration'] = (_request, reply) => {
      asked++
      reply.writeHead(500).end()
    }
    const provider = open({}, () => now)
    for (let i = 0; i < 5; i++) await expect(provider.createAddress(proof)).rejects.toThrow()
    expect(asked).toBe(1)
    now += 3000
    delete made.handlers['/.well-known/openid-configuration']
    expect(await provider.createAddress(proof)).toContain('/authorize?')
    made.handlers['/.well-known/openid-configuration'] = (_request, reply) => reply.writeHead(500).end()
    now += 2 * 60 * 60_000
    expect(await provider.createAddress(proof)).toContain('/authorize?')
  })

  it.each<[string, object, object | undefined, Partial<SsoSettings>, boolean]>([
    ['says nothing of it', { email_verified: undefined }, undefined, {}, false],
    ['is trusted', { email_verified: undefined }, undefined, { trustsEmail: true }, true],
    [
      'is trusted, but says that it is not',
      { email_verified: false },
      undefined,
      { trustsEmail: true },
      false,
    ],
    ['sends a text', { email_verified: 'true' }, undefined, {}, true],
    [
      'has all in userinfo',
      { email: undefined, email_verified: undefined },
      { email: 'ada@example.com', email_verified: true },
      {},
      true,
    ],
    ['has only that in userinfo', { email_verified: undefined }, { email_verified: true }, {}, true],
    [
      'says it of another email',
      { email_verified: undefined },
      { email: 'x@y.z', email_verified: true },
      {},
      false,
    ],
    ['sends no email', { email: 'nobody' }, undefined, {}, false],
    ['sends a Kelvin sign for a K', { email: '\u212aim@example.com' }, undefined, {}, false],
    ['sends spaces around it', { email: ' ada@example.com\n' }, undefined, {}, true],
  ])('vouches for an email, or not, if it %s', async (_, claims, userInfo, settings, isVerified) => {
    Object.assign(made.claims, claims)
    made.userInfo = userInfo && { sub: 'ada-1', ...userInfo }
    // Without userinfo there is no such address.
    if (!userInfo) made.metadata = { userinfo_endpoint: undefined }
    expect((await verify(settings)).email !== undefined).toBe(isVerified)
  })

  it('is not believed about somebody else in its userinfo', async () => {
    Object.assign(made.claims, { email: undefined })
    made.userInfo = { sub: 'eve-1', email: 'ada@example.com', email_verified: true }
    await expect(verify()).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it.each([
    [{ groups: ['staff', 'x'] }, true],
    [{ groups: 'staff' }, true],
    [{ groups: ['staff2'] }, false],
    [{ groups: { staff: true } }, false],
    [{}, false],
    [{ groups: ['admins'], realm_access: { roles: ['y'] } }, true],
    [{ groups: [['staff']] }, true],
    [{ groups: null }, false],
    [{ groups: ['staff'], teams: [{ name: 'x' }, { name: 'y' }] }, true],
    [{ groups: ['staff'], teams: [{ name: 'x' }, null, 'y'] }, false],
  ])('that says %j lets in whom OIDC_REQUIRE does', async (claims, isAllowed) => {
    made.metadata = { userinfo_endpoint: undefined }
    Object.assign(made.claims, claims)
    const required = new Map([['groups', ['staff', 'admins']]])
    if ('realm_access' in claims) required.set('realm_access.roles', ['y'])
    if ('teams' in claims) required.set('teams.name', ['y'])
    expect((await verify({ required })).isAllowed).toBe(isAllowed)
  })

  it('is checked for the operator: addresses, keys, clock, and whether it knows the client', async () => {
    const grantRefused = (error: string) => (_request: unknown, reply: ServerResponse) =>
      reply.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
    made.handlers['/token'] = grantRefused('invalid_grant')
    const check = () => checkProvider(settingsFor(made.issuer, { scopes: 'openid email groups' }))
    expect((await check()).problems).toEqual([])
    made.handlers['/token'] = grantRefused('invalid_client')
    made.metadata = { scopes_supported: ['openid', 'email'] }
    made.handlers['/keys'] = (_request, reply) =>
      reply
        .writeHead(200, {
          'content-type': 'application/json',
          date: new Date(Date.now() + 90_000).toUTCString(),
        })
        .end('{"keys":[]}')
    made.metadata.id_token_signing_alg_values_supported = ['HS256']
    const { problems } = await check()
    expect(problems).toMatchObject(
      [
        /scope groups/,
        /no key \(HS256\)/,
        /no keys/,
        /clock differs from this one by (89|90|91) s/,
        /OIDC_CLIENT_ID and its secret/,
      ].map((pattern) => expect.stringMatching(pattern)),
    )
    made.metadata = { issuer: 'https://login.example.com/other' }
    expect((await check()).problems).toEqual([
      expect.stringContaining('calls itself https://login.example.com/other'),
    ])
    made.handlers['/.well-known/openid-configuration'] = (_request, reply) => reply.writeHead(404).end()
    expect((await check()).problems).toEqual([expect.stringContaining('does not answer as a provider does')])
    made.handlers['/.well-known/openid-configuration'] = (_request, reply) =>
      reply.writeHead(301, { location: 'https://login.example.com/x' }).end()
    expect((await check()).problems).toEqual([
      expect.stringContaining('redirects to https://login.example.com'),
    ])
  })
})
