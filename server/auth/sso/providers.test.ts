import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { type ErrorCode, errors } from '../../../contract/errors.ts'
import { startTestServer } from '../../../tests/support/server.ts'
import { createTestBrowser } from '../../../tests/support/sso/browser.ts'
import { startMadeUpProvider } from '../../../tests/support/sso/made-up-provider.ts'
import { settingsFor } from '../../../tests/support/sso/real-provider.ts'
import type { SsoSettings } from './settings.ts'

type MadeUpProvider = Awaited<ReturnType<typeof startMadeUpProvider>>

interface Shape {
  prepare(made: MadeUpProvider): unknown
  settings?(made: MadeUpProvider): Partial<SsoSettings>
  /** What the provider adds to its answer. */
  answer?(made: MadeUpProvider): string
}

/** Gives the provider an issuer with a path. */
function moveTo(made: MadeUpProvider, path: string, metadata: Record<string, unknown> = {}) {
  const issuer = `${made.issuer}${path}`
  made.metadata = { ...metadata, issuer }
  made.claims.iss = issuer
}

const issuerAt = (made: MadeUpProvider, path: string) => ({ issuer: new URL(`${made.issuer}${path}`) })

const refuse =
  (status: number, body: object, headers: Record<string, string> = {}) =>
  (_request: unknown, reply: ServerResponse) =>
    reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

/** Refuses a secret in the header, as standards have it, and takes one in the body. */
function wantSecretInBody(made: MadeUpProvider, challenge: string) {
  made.handlers['/token'] = (_request, reply) => {
    delete made.handlers['/token']
    refuse(401, { error: 'invalid_client' }, { 'www-authenticate': challenge })(_request, reply)
  }
}

const longGroups = Array.from(
  { length: 200 },
  (_, i) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
)

/** How providers differ, by what they send. */
const shapes: Record<string, Shape> = {
  'Keycloak: an issuer with a path, iss and session_state, a key for encryption beside that for PS256': {
    prepare(made) {
      const algorithms = { id_token_signing_alg_values_supported: ['RS256', 'PS256'] }
      moveTo(made, '/realms/staff', { ...algorithms, authorization_response_iss_parameter_supported: true })
      made.rotate('other', 'RS256')
      made.otherKeys = [{ ...made.key.jwk, use: 'enc', alg: 'RSA-OAEP' }]
      made.rotate('first', 'PS256')
      Object.assign(made.claims, {
        ...{ preferred_username: 'ada', typ: 'ID', acr: '1', sid: 'x', auth_time: made.claims.iat },
        realm_access: { roles: ['staff', 'offline_access'] },
      })
    },
    settings: (made) => ({
      ...issuerAt(made, '/realms/staff'),
      required: new Map([['realm_access.roles', ['staff']]]),
    }),
    answer: (made) => `&session_state=x.y&iss=${encodeURIComponent(`${made.issuer}/realms/staff`)}`,
  },
  'Authentik: a slash at the end of the issuer, which the setting lacks, and ES256': {
    prepare(made) {
      moveTo(made, '/application/o/staffbook/', { id_token_signing_alg_values_supported: ['ES256'] })
      made.rotate('first', 'ES256')
    },
    settings: (made) => issuerAt(made, '/application/o/staffbook'),
  },
  'Entra: a tenant, no email_verified, a token over 4 KB, keys without an algorithm, userinfo at a host that is out of reach':
    {
      prepare(made) {
        moveTo(made, '/8d0c/v2.0')
        Object.assign(made.key.jwk, { alg: undefined, x5c: ['x'], issuer: made.metadata.issuer })
        Object.assign(made.claims, {
          ...{ email_verified: undefined, preferred_username: 'ada@example.com', tid: '8d0c', ver: '2.0' },
          groups: longGroups,
        })
        made.tokens = { ext_expires_in: 3599, scope: 'openid email', access_token: 'x'.repeat(3_000) }
        made.handlers['/me'] = (request) => request.socket.destroy()
      },
      settings: (made) => ({ ...issuerAt(made, '/8d0c/v2.0'), trustsEmail: true }),
      answer: () => '&session_state=x',
    },
  'Google: hd, no auth_time, more in the answer': {
    prepare(made) {
      Object.assign(made.claims, { hd: 'example.com', azp: made.claims.aud, at_hash: undefined })
    },
    settings: () => ({ required: new Map([['hd', ['example.com']]]) }),
    answer: () => '&scope=email+openid&authuser=0&hd=example.com&prompt=none',
  },
  'Okta: requests can be pushed, groups in userinfo only': {
    prepare(made) {
      made.metadata = { pushed_authorization_request_endpoint: `${made.issuer}/par` }
      Object.assign(made.claims, { amr: ['mfa', 'pwd'], idp: 'x', auth_time: made.claims.iat, ver: 1 })
      made.userInfo = { sub: 'ada-1', groups: ['Everyone', 'staff'], updated_at: 1 }
    },
    settings: () => ({ required: new Map([['groups', ['staff']]]), scopes: 'openid email groups' }),
  },
  'Authelia: requests must be pushed, iss in the answer, all claims in userinfo only, a challenge for the wrong way to authenticate':
    {
      prepare(made) {
        made.metadata = {
          pushed_authorization_request_endpoint: `${made.issuer}/par`,
          require_pushed_authorization_requests: true,
          authorization_response_iss_parameter_supported: true,
        }
        Object.assign(made.claims, { email: undefined, email_verified: undefined })
        made.userInfo = { sub: 'ada-1', email: 'ada@example.com', email_verified: true, groups: ['staff'] }
        wantSecretInBody(made, 'Basic realm="authelia"')
      },
      answer: (made) => `&scope=openid+email&iss=${encodeURIComponent(made.issuer)}`,
    },
  'GitLab: its challenge is one for tokens': {
    prepare: (made) => wantSecretInBody(made, 'Bearer realm="Doorkeeper", error="invalid_client"'),
  },
  'AD FS: userinfo has the subject only': {
    prepare(made) {
      moveTo(made, '/adfs')
      Object.assign(made.claims, { email_verified: undefined, upn: 'ada@example.com' })
      made.userInfo = { sub: 'ada-1' }
    },
    settings: (made) => ({ ...issuerAt(made, '/adfs'), trustsEmail: true }),
  },
  'Logto: ES384': {
    prepare(made) {
      made.metadata = { id_token_signing_alg_values_supported: ['ES384'] }
      made.rotate('first', 'ES384')
    },
  },
  'a new one: Ed25519 by its new name': {
    prepare(made) {
      made.metadata = { id_token_signing_alg_values_supported: ['Ed25519'] }
      made.rotate('first', 'Ed25519')
    },
  },
}

/** A server with the provider of a shape. `come` returns the query with which the provider sends a browser back. */
async function startShape({ prepare, settings, answer }: Shape) {
  const made = await startMadeUpProvider()
  await prepare(made)
  const server = await startTestServer({ sso: settingsFor(made.issuer, settings?.(made)) })
  const browser = createTestBrowser(server.url)
  return {
    browser,
    async come(query = 'code=a+code') {
      const { searchParams } = await browser.begin()
      const asked = searchParams.has('request_uri') ? made.pushed : searchParams
      made.nonce = asked?.get('nonce') ?? ''
      return `?${query}&state=${asked?.get('state')}${answer?.(made) ?? ''}`
    },
  }
}

it.each(Object.entries(shapes))('single sign-on works with %s', async (_, shape) => {
  const { browser, come } = await startShape(shape)
  for (let i = 0; i < 2; i++)
    expect(await browser.answer(await come())).toMatchObject({
      status: 200,
      body: { email: 'ada@example.com' },
    })
})

const seconds = () => Math.floor(Date.now() / 1000)

describe('who comes back from a provider of single sign-on reads what to do, if', () => {
  const expectRefusal = async (
    { browser }: Awaited<ReturnType<typeof startShape>>,
    query: string,
    code: ErrorCode,
  ) => {
    const { status, body } = await browser.answer(query)
    expect([query, status, body.code, body.message]).toEqual([
      query,
      errors[code].status,
      code,
      expect.stringMatching(/try again|ask your administrator/i),
    ])
  }

  it.each<[string, Shape['prepare']]>([
    ['the clock there is 90 s fast', ({ claims }) => Object.assign(claims, { nbf: seconds() + 90 })],
    ['the clock there is 90 s slow', ({ claims }) => Object.assign(claims, { exp: seconds() - 90 })],
    ['it signs with an algorithm that it does not list', (made) => made.rotate('first', 'ES256')],
    [
      'it has no keys',
      (made) => {
        made.handlers['/keys'] = refuse(200, { keys: [] })
      },
    ],
    [
      'it sends no ID token',
      (made) => {
        made.handlers['/token'] = refuse(200, { access_token: 'x', token_type: 'Bearer' })
      },
    ],
    [
      'it sends an encrypted ID token',
      (made) => {
        made.tokens = { id_token: 'a.b.c.d.e' }
      },
    ],
    [
      'too many requests come from here',
      (made) => {
        made.handlers['/token'] = refuse(429, { error: 'slow_down' })
      },
    ],
    [
      'it accepts the secret in neither way',
      (made) => {
        made.handlers['/token'] = refuse(401, { error: 'invalid_client' }, { 'www-authenticate': 'Basic' })
      },
    ],
    [
      'it refuses its own token at userinfo',
      (made) => {
        made.claims.email = undefined
        made.handlers['/me'] = refuse(401, {}, { 'www-authenticate': 'Bearer error="invalid_token"' })
      },
    ],
  ])('%s', async (_, prepare) => {
    const shape = await startShape({ prepare })
    await expectRefusal(shape, await shape.come(), 'sso-unavailable')
  })

  it('it refuses, with or without the state and iss', async () => {
    const shape = await startShape({
      prepare(made) {
        made.metadata = { authorization_response_iss_parameter_supported: true }
      },
    })
    const persons = ['access_denied', 'login_required', 'interaction_required', 'consent_required', 'else']
    for (const error of persons)
      await expectRefusal(shape, await shape.come(`error=${error}`), 'sso-cancelled')
    for (const error of ['invalid_request', 'unauthorized_client', 'temporarily_unavailable'])
      await expectRefusal(shape, await shape.come(`error=${error}`), 'sso-unavailable')
    for (const query of ['?error=access_denied', '?error=server_error&error_description=x'])
      await expectRefusal(shape, query, 'sso-cancelled')
    // What has a state of somebody else is not said of this visitor.
    await expectRefusal(shape, '?error=access_denied&state=x', 'sso-failed')
    await expectRefusal(shape, '?code=x', 'sso-failed')
  })
})
