import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { passkeyPaths } from '../../contract/passkeys.ts'
import { password, type TestClient } from './http-client.ts'

export const site = { origin: 'https://staff.example.com', rpId: 'staff.example.com' }
export const publicUrl = new URL(site.origin)

export const flags = { present: 1, verified: 4, backupEligible: 8, backedUp: 16, hasKey: 64 }
const usual = flags.present | flags.verified

type Algorithm = 'ES256' | 'EdDSA' | 'RS256'
const usualAlgorithm: Algorithm = 'ES256'

/** What differs from a right response. */
interface Differences {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  flags?: number
  counter?: number
  userHandle?: string
  key?: KeyObject
  /** CBOR of the format of the attestation and its statement. */
  attestation?: Buffer
}

export type Authenticator = ReturnType<typeof createAuthenticator>
export type Assertion = ReturnType<Authenticator['sign']>

/** An authenticator with one passkey, in software. */
export function createAuthenticator({ algorithm = usualAlgorithm, isCounting = true, idLength = 16 } = {}) {
  const { privateKey, cose } = createKey(algorithm)
  const id = randomBytes(idLength)
  let counter = 0
  let userHandle = ''

  function toClientData(type: string, challenge: string, differences: Differences) {
    const { origin = site.origin, type: chosenType = type, challenge: chosen = challenge } = differences
    return Buffer.from(JSON.stringify({ type: chosenType, challenge: chosen, origin, crossOrigin: false }))
  }

  function toAuthenticatorData(differences: Differences, isNew: boolean) {
    const { rpId = site.rpId, flags: chosen = usual | (isNew ? flags.hasKey : 0) } = differences
    const data = Buffer.alloc(37)
    createHash('sha256').update(rpId).digest().copy(data)
    data.writeUInt8(chosen, 32)
    if (isCounting) counter++
    data.writeUInt32BE(differences.counter ?? counter, 33)
    return isNew ? Buffer.concat([data, Buffer.alloc(16), uint16(id.length), id, cose]) : data
  }

  const named = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' }

  return {
    id: named.id,
    /** What a browser makes of the options of a new passkey. */
    create(options: { challenge: string; user: { id: string } }, differences: Differences = {}) {
      userHandle = options.user.id
      const authData = toAuthenticatorData(differences, true)
      const { attestation = Buffer.concat([text('fmt'), text('none'), text('attStmt'), map(0)]) } =
        differences
      const attestationObject = Buffer.concat([map(3), attestation, text('authData'), bytes(authData)])
      const clientData = toClientData('webauthn.create', options.challenge, differences)
      return { ...named, response: toBase64({ clientDataJSON: clientData, attestationObject }) }
    },
    /** What a browser makes of the options of a sign-in. */
    sign(options: { challenge: string }, differences: Differences = {}) {
      const clientDataJSON = toClientData('webauthn.get', options.challenge, differences)
      const authenticatorData = toAuthenticatorData(differences, false)
      const hashed = createHash('sha256').update(clientDataJSON).digest()
      const signed = Buffer.concat([authenticatorData, hashed])
      const digest = algorithm === 'EdDSA' ? null : 'sha256'
      const signature = sign(digest, signed, differences.key ?? privateKey)
      const parts = toBase64({ clientDataJSON, authenticatorData, signature })
      return { ...named, response: { ...parts, userHandle: differences.userHandle ?? userHandle } }
    },
  }
}

const toBase64 = <K extends string>(parts: Record<K, Buffer>) =>
  Object.fromEntries(
    Object.entries<Buffer>(parts).map(([name, part]) => [name, part.toString('base64url')]),
  ) as Record<K, string>

function createKey(algorithm: Algorithm) {
  if (algorithm === 'RS256') {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const n = Buffer.from(publicKey.export({ format: 'jwk' }).n ?? '', 'base64url')
    const exponent = Buffer.from('2143010001', 'hex')
    return { privateKey, cose: Buffer.concat([Buffer.from('a401030339010020', 'hex'), bytes(n), exponent]) }
  }
  const { publicKey, privateKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('ed25519')
  const { x = '', y } = publicKey.export({ format: 'jwk' })
  const head = Buffer.from(y ? 'a50102032620012158' : 'a40101032720062158', 'hex')
  const rest = y ? [Buffer.from('2258', 'hex'), Buffer.from([32]), Buffer.from(y, 'base64url')] : []
  return { privateKey, cose: Buffer.concat([head, Buffer.from([32]), Buffer.from(x, 'base64url'), ...rest]) }
}

function uint16(value: number) {
  const buffer = Buffer.alloc(2)
  buffer.writeUInt16BE(value)
  return buffer
}

const map = (size: number) => Buffer.from([0xa0 + size])
/** CBOR of a text of up to 23 bytes. */
export const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
/** CBOR of up to 65,535 bytes. */
export const bytes = (value: Buffer) => Buffer.concat([Buffer.from([0x59]), uint16(value.length), value])

/** Adds a passkey to the account of a client. */
export async function addPasskey(
  client: TestClient,
  authenticator: Authenticator,
  name = 'Laptop',
  ownPassword = password,
) {
  const { body: options } = await client.post(passkeyPaths.options, { password: ownPassword })
  return client.post(passkeyPaths.passkeys, { name, response: authenticator.create(options) })
}

/** Asks for a challenge, and returns what the authenticator makes of it. */
export async function signChallenge(
  client: TestClient,
  authenticator: Authenticator,
  differences?: Parameters<Authenticator['sign']>[1],
): Promise<Assertion> {
  const { body: options } = await client.post(passkeyPaths.sessionOptions)
  return authenticator.sign(options, differences)
}

export const signInWith = (client: TestClient, response: unknown) =>
  client.post(passkeyPaths.session, { response })
