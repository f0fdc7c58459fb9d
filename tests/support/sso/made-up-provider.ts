import { constants, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { cleanUpAfterTest } from '../cleanup.ts'
import { clientId } from './real-provider.ts'

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

const createRsaKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

const keyGenerators: Record<string, () => { privateKey: KeyObject; publicKey: KeyObject }> = {
  RS256: createRsaKey,
  PS256: createRsaKey,
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
  Ed25519: () => generateKeyPairSync('ed25519'),
}

const keys = new Map<string, ReturnType<typeof createRsaKey>>()

/** Key number `count` of every provider is the same, because it takes a tenth of a second to create one for RSA. */
function createKey(kid: string | undefined, alg = 'RS256', count = 0) {
  const generate = keyGenerators[alg] as (typeof keyGenerators)[string]
  const pair = keys.get(alg + count) ?? generate()
  keys.set(alg + count, pair)
  const { privateKey, publicKey } = pair
  return { privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg } }
}

const hashes: Record<string, string | null> = { ES384: 'sha384', EdDSA: null, Ed25519: null }

function signToken(
  claims: object,
  algorithm: string,
  { kid, key }: { kid: string | undefined; key: KeyObject | string },
) {
  const content = `${base64url({ alg: algorithm, kid })}.${base64url(claims)}`
  if (algorithm === 'none') return `${content}.`
  const hash = algorithm in hashes ? (hashes[algorithm] as string | null) : 'sha256'
  const padding = algorithm === 'PS256' ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : {}
  const signature =
    typeof key === 'string'
      ? createHmac('sha256', key).update(content).digest()
      : sign(hash, Buffer.from(content), { key, dsaEncoding: 'ieee-p1363', ...padding })
  return `${content}.${signature.toString('base64url')}`
}

const discoveryPath = '/.well-known/openid-configuration'

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** A provider that a test makes right, broken or hostile. Its tokens are those of `claims`. */
export async function startMadeUpProvider() {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const seconds = Math.floor(Date.now() / 1000)
  let keyCount = 0
  const own = {
    issuer,
    /** Replace parts of what the provider says of itself. */
    metadata: {} as Record<string, unknown>,
    key: createKey('first'),
    algorithm: 'RS256',
    /** What else is at the address of its keys. */
    otherKeys: [] as object[],
    /** What a request has pushed last. */
    pushed: undefined as URLSearchParams | undefined,
    /** What signs instead of the key. */
    signingKey: undefined as KeyObject | string | undefined,
    /** The nonce is that of the request, unless the claims have one. */
    nonce: '',
    claims: {
      iss: issuer,
      aud: clientId,
      sub: 'ada-1',
      iat: seconds,
      exp: seconds + 60,
      email: 'ada@example.com',
      email_verified: true,
    } as Record<string, unknown>,
    userInfo: undefined as Record<string, unknown> | undefined,
    /** What else the token endpoint sends. */
    tokens: {} as Record<string, unknown>,
    /** What the token endpoint has been sent. */
    requests: [] as { authorization: string | undefined; body: URLSearchParams }[],
    /** Replace what is at a path. */
    handlers: {} as Record<string, Handler>,
    /** A new key in place of the one. */
    rotate: (kid: string | undefined, algorithm = 'RS256') => {
      own.key = createKey(kid, algorithm, ++keyCount)
      own.algorithm = algorithm
    },
    /** Signs as an ID token is signed. */
    sign: (claims: object) =>
      signToken(claims, own.algorithm, {
        kid: own.key.jwk.kid,
        key: own.signingKey ?? own.key.privateKey,
      }),
  }
  const answer = (response: ServerResponse, body: object, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const handlers: Record<string, Handler> = {
    [discoveryPath]: (_request, response) =>
      answer(response, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: `${issuer}/me`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...own.metadata,
      }),
    '/keys': (_request, response) => answer(response, { keys: [...own.otherKeys, own.key.jwk] }),
    async '/par'(request, response) {
      own.pushed = new URLSearchParams(await text(request))
      answer(response, { request_uri: 'urn:example:1', expires_in: 60 }, 201)
    },
    '/me': (_request, response) => answer(response, own.userInfo ?? {}, own.userInfo ? 200 : 404),
    async '/token'(request, response) {
      own.requests.push({
        authorization: request.headers.authorization,
        body: new URLSearchParams(await text(request)),
      })
      const id_token = own.sign({ nonce: own.nonce, ...own.claims })
      answer(response, { access_token: 'an access token', token_type: 'Bearer', id_token, ...own.tokens })
    },
  }
  server.on('request', (request, response) => {
    const { pathname } = new URL(request.url ?? '/', issuer)
    const path = pathname.endsWith(discoveryPath) ? discoveryPath : pathname
    const handle = own.handlers[pathname] ?? own.handlers[path] ?? handlers[path]
    if (handle) handle(request, response)
    else response.writeHead(404).end()
  })
  cleanUpAfterTest(() => {
    server.close()
    server.closeAllConnections()
  })
  return own
}
