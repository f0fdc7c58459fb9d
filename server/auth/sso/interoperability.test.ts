import type { ServerResponse } from 'node:http'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { startMadeUpProvider } from '../../../tests/support/sso/made-up-provider.ts'
import { clientId, settingsFor } from '../../../tests/support/sso/real-provider.ts'
import { checkProvider } from './check.ts'
import { createProvider, type Proof } from './provider.ts'
import type { SsoSettings } from './settings.ts'

const proof: Proof = { state: 'the state', nonce: 'the nonce', verifier: 'v'.repeat(43) }

const send =
  (type: string, body: string, status = 200) =>
  (_request: unknown, reply: ServerResponse) =>
    reply.writeHead(status, { 'content-type': type }).end(body)

/** What providers do that other clients of OpenID Connect did not expect. */
describe('single sign-on with a provider that', () => {
  let made: Awaited<ReturnType<typeof startMadeUpProvider>>

  beforeEach(async () => {
    made = await startMadeUpProvider()
    made.nonce = proof.nonce
  })

  const open = (different?: Partial<SsoSettings>) => createProvider(settingsFor(made.issuer, different))
  const verify = (different?: Partial<SsoSettings>, code = 'a code') =>
    open(different).verify(new URLSearchParams({ code, state: proof.state }), proof)

  it.each(['ES256', 'EdDSA'])('signs with %s', async (algorithm) => {
    made.rotate('another', algorithm)
    made.metadata = { id_token_signing_alg_values_supported: ['RS256', algorithm] }
    expect((await verify()).subject).toBe('ada-1')
  })

  it('answers userinfo with a signed token, which must have its key', async () => {
    made.claims.email = undefined
    made.metadata = { userinfo_signing_alg_values_supported: ['RS256'] }
    const claims = { sub: 'ada-1', iss: made.issuer, aud: clientId, email: 'ada@example.com' }
    made.handlers['/me'] = (request, reply) => send('application/jwt', made.sign(claims))(request, reply)
    expect((await verify()).email?.email).toBe('ada@example.com')
    const signed = made.sign(claims)
    made.rotate('another')
    made.handlers['/me'] = send('application/jwt', signed)
    await expect(verify()).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('does not answer userinfo, if all that is needed is in the ID token of a trusted provider', async () => {
    made.claims.email_verified = undefined
    for (const status of [401, 403, 500]) {
      made.handlers['/me'] = send('text/html', 'no', status)
      expect((await verify({ trustsEmail: true })).email?.email).toBe('ada@example.com')
      await expect(verify()).rejects.toThrow()
      const required = new Map([['groups', ['staff']]])
      await expect(verify({ trustsEmail: true, required })).rejects.toThrow()
    }
    made.handlers['/me'] = (request) => request.socket.destroy()
    expect((await verify({ trustsEmail: true })).email?.email).toBe('ada@example.com')
    made.userInfo = { sub: 'eve-1' }
    delete made.handlers['/me']
    await expect(verify({ trustsEmail: true })).rejects.toMatchObject({ kind: 'unavailable' })
    // Otherwise a long profile would hide that its email is not verified.
    made.userInfo = { sub: 'ada-1', email_verified: false, picture: 'x'.repeat(2 ** 21) }
    await expect(verify({ trustsEmail: true })).rejects.toThrow()
  })

  it('knows no prompt=login, as Google says of itself', async () => {
    const issuer = 'https://accounts.google.com'
    const metadata = { issuer, authorization_endpoint: `${issuer}/o/oauth2/v2/auth` }
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(metadata))
    for (const options of [{ fresh: true }, { chooses: true }]) {
      const { searchParams } = new URL(await open({ issuer: new URL(issuer) }).createAddress(proof, options))
      expect(searchParams.get('prompt')).toBe('select_account')
    }
    vi.restoreAllMocks()
    for (const options of [{ fresh: true }, { chooses: true }])
      expect(await open().createAddress(proof, options)).toContain('prompt=login')
  })

  it('has a query in the address of its sign-in page', async () => {
    made.metadata = { authorization_endpoint: `${made.issuer}/authorize?p=b2c_1_signin` }
    const { searchParams } = new URL(await open().createAddress(proof))
    expect([searchParams.get('p'), searchParams.get('client_id')]).toEqual(['b2c_1_signin', clientId])
  })

  it('wants requests to be sent to it directly, or accepts none', async () => {
    const endpoint = { pushed_authorization_request_endpoint: `${made.issuer}/par` }
    const answers = [send('application/json', '{"error":"invalid_client"}', 401)]
    const accepted = send('application/json', '{"request_uri":"urn:x:1","expires_in":60}', 201)
    made.handlers['/par'] = (request, reply) => (answers.pop() ?? accepted)(request, reply)
    made.metadata = { ...endpoint, require_pushed_authorization_requests: true }
    expect(await open().createAddress(proof)).toContain('request_uri=urn')
    made.metadata = endpoint
    expect(await open().createAddress(proof)).toContain('state=the')
    expect(await open().createAddress(proof, { fresh: true })).toContain('request_uri=urn')
    made.handlers['/par'] = send('application/json', '{"error":"invalid_request"}', 400)
    expect(await open().createAddress(proof, { fresh: true })).toContain('max_age=0')
  })

  it('has a clock that is 20 seconds fast', async () => {
    const seconds = Math.floor(Date.now() / 1000) + 20
    Object.assign(made.claims, { iat: seconds, nbf: seconds, auth_time: seconds })
    expect((await verify()).authenticatedAt).toBe(seconds)
  })

  it('sends long codes, tokens with thousands of groups, and times as texts', async () => {
    made.claims.groups = Array.from({ length: 5_000 }, (_, i) => `a group with a long name ${i}`)
    made.tokens = { expires_in: '3600', access_token: 'x'.repeat(50_000), refresh_token: 'unused' }
    const required = new Map([['groups', ['a group with a long name 4999']]])
    expect((await verify({ required }, 'c'.repeat(6_000))).isAllowed).toBe(true)
  })

  it('sends nothing in place of the email', async () => {
    made.metadata = { userinfo_endpoint: undefined }
    for (const email of [null, '', [], {}, 5, ['ada@example.com']]) {
      made.claims.email = email
      expect(await verify()).toMatchObject({ subject: 'ada-1', email: undefined })
    }
  })

  it('has other audiences beside this client, if it says whom it has authorized', async () => {
    Object.assign(made.claims, { aud: [clientId, 'other'], azp: clientId })
    expect((await verify()).subject).toBe('ada-1')
    made.claims.azp = 'other'
    await expect(verify()).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('calls itself http:// behind its proxy', async () => {
    made.metadata = { issuer: 'http://auth.example.com/' }
    const { problems } = await checkProvider(settingsFor(made.issuer))
    expect(problems).toEqual([expect.stringContaining('calls itself http://auth.example.com/')])
  })

  it.each(['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])(
    'has a certificate of a private authority (%s): the check names the setting',
    async (code) => {
      const cause = Object.assign(new Error('a text'), { code })
      vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed', { cause }))
      const { problems } = await checkProvider(settingsFor('https://login.example.com'))
      expect(problems).toEqual([expect.stringContaining('NODE_EXTRA_CA_CERTS')])
    },
  )
})
