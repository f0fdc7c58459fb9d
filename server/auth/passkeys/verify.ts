import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Site } from './site.ts'

const es256 = -7

/** With EdDSA and RS256. All authenticators have one of them. */
export const algorithms = [es256, -8, -257]

/** Loaded on first use, because it takes 24 MB. */
const loadWebAuthn = () =>
  Promise.all([import('@simplewebauthn/server'), import('@simplewebauthn/server/helpers')])

interface Expectation {
  site: Site
  /** Whether the challenge, in base64url, is ours. */
  isChallenge: (challenge: string) => boolean
}

const toExpected = ({ site, isChallenge }: Expectation) => ({
  expectedChallenge: isChallenge,
  expectedOrigin: site.origin,
  expectedRPID: site.rpId,
  requireUserVerification: true,
})

/** What the library throws describes the response, which strangers may have made. */
const ignoreInvalid = () => undefined

/** The limit of WebAuthn. PostgreSQL can't index twice as many. */
const maxIdBytes = 1023

/** Returns the public key of a new passkey; undefined if the response is not as expected. */
export async function verifyNewPasskey(response: RegistrationResponseJSON, expectation: Expectation) {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject, isoBase64URL }] = await loadWebAuthn()
  const verify = async () => {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject))
    // Certificates are not requested, and parsing them could make the server load the lists of revoked ones that they name.
    if (attestation.get('attStmt').get('x5c') || !['none', 'packed'].includes(attestation.get('fmt'))) return
    const options = { response, ...toExpected(expectation), supportedAlgorithmIDs: algorithms }
    const { registrationInfo } = await verifyRegistrationResponse(options)
    if (!registrationInfo) return
    const { credential, credentialBackedUp } = registrationInfo
    if (Buffer.byteLength(credential.id, 'base64url') > maxIdBytes) return
    const publicKey = Buffer.from(credential.publicKey).toString('base64url')
    return { id: credential.id, publicKey, counter: credential.counter, isBackedUp: credentialBackedUp }
  }
  return verify().catch(ignoreInvalid)
}

/** A public key whose private key was thrown away, so that an unknown passkey takes as long as a known one. */
const nobodysKey =
  'pQECAyYgASFYIOQvs6q2o013fJ1Ldugnhaetf8HStdgiCgka0lmnbTB4Ilgg7UsAb-3hgXl4puNvxSZzPPrkfUoS7DogHXhioKH6t6o'

const isCanonical = (text: string) => Buffer.from(text, 'base64url').toString('base64url') === text

const derSequence = 0x30

/** The library ignores what follows an ES256 signature, which is a DER sequence of less than 128 bytes. */
const hasExactLength = (bytes: Buffer) => bytes[0] === derSequence && bytes[1] === bytes.length - 2

/** Returns what the authenticator says; undefined if the passkey has not signed it, or the response is not as expected. */
export async function verifyAssertion(
  response: AuthenticationResponseJSON,
  publicKey: string | undefined,
  expectation: Expectation,
) {
  const [{ verifyAuthenticationResponse }, { cose, decodeCredentialPublicKey }] = await loadWebAuthn()
  const { clientDataJSON, authenticatorData, signature } = response.response
  if (![clientDataJSON, authenticatorData, signature].every(isCanonical)) return
  const key = Buffer.from(publicKey ?? nobodysKey, 'base64url')
  const isES256 = decodeCredentialPublicKey(key).get(cose.COSEKEYS.alg) === es256
  if (isES256 && !hasExactLength(Buffer.from(signature, 'base64url'))) return
  // The storage compares the counter, in the transaction that signs in.
  const options = { response, ...toExpected(expectation), credential: { id: '', publicKey: key, counter: 0 } }
  const result = await verifyAuthenticationResponse(options).catch(ignoreInvalid)
  if (!result?.verified || publicKey === undefined) return
  const { newCounter, credentialBackedUp } = result.authenticationInfo
  return { counter: newCounter, isBackedUp: credentialBackedUp }
}
