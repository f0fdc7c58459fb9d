import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { challengeTtlMs, maxPasskeys, type PasskeyInfo } from '../../../contract/passkeys.ts'
import { AppError } from '../../app-error.ts'
import { toResponse } from '../../http/json-body.ts'
import {
  type Account,
  type AuthenticatedSession,
  type FoundPasskey,
  type Passkey,
  type PasskeyStorage,
  toPublicId,
} from '../../storage/storage.ts'
import { type Challenges, createChallenges } from '../challenges.ts'
import type { Site } from './site.ts'
import { algorithms, verifyAssertion, verifyNewPasskey } from './verify.ts'

export type Passkeys = ReturnType<typeof createPasskeys>

const invalidResponseError = new AppError('invalid-request', {
  field: 'response',
  message: 'The passkey could not be verified. Try again.',
})

/** What a challenge is made for. `session` and `browser` are secrets of the browser that asked for it. */
const forCreation = ({ session }: AuthenticatedSession) => `create ${session.hash}`
const forSignIn = (browser: string) => `sign-in ${browser}`

const publicKeyType = { type: 'public-key' } as const

/** Makes, lists, removes and verifies passkeys. `now`: milliseconds since 1970. */
export function createPasskeys({ storage, now = Date.now }: { storage: PasskeyStorage; now?: () => number }) {
  const challenges = createChallenges(storage.readChallengeKey, now)

  return {
    find: storage.find,
    signIn: storage.signIn,

    async list(uid: string): Promise<PasskeyInfo[]> {
      return (await storage.list(uid)).map(toInfo)
    },

    /** Returns what the browser needs to create a passkey. Throws `too-many-passkeys`. */
    async createOptions(session: AuthenticatedSession, site: Site) {
      const existing = await storage.list(session.account.uid)
      if (existing.length >= maxPasskeys) throw new AppError('too-many-passkeys')
      return toCreationOptions(
        await challenges.issue(forCreation(session), challengeTtlMs),
        site,
        session.account,
        existing,
      )
    },

    /** Adds a passkey. Throws `invalid-request` if the response does not verify, or `too-many-passkeys`. */
    async add(session: AuthenticatedSession, site: Site, name: string, response: RegistrationResponseJSON) {
      const { answered, isChallenge } = await challenges.expect(forCreation(session))
      const verified = await verifyNewPasskey(response, { site, isChallenge })
      const challenge = answered()
      if (!verified || !challenge) throw invalidResponseError
      const passkey = { ...verified, uid: session.account.uid, name: name.trim(), createdAt: now() }
      const outcome = await storage.add(passkey, challenge, session.session.hash)
      if (outcome === 'too-many-passkeys') throw new AppError(outcome)
      if (outcome === 'refused') throw invalidResponseError
      return toInfo(passkey)
    },

    /** Removes a passkey; `id` is the public one. False if the account has none with it. */
    async remove(uid: string, id: string): Promise<boolean> {
      const found = (await storage.list(uid)).find((passkey) => toPublicId(passkey.id) === id)
      return found !== undefined && storage.remove(found.id, uid, uid)
    },

    ...createSignIn(challenges),
  }
}

function createSignIn(challenges: Challenges) {
  return {
    /** Returns what any browser needs to let its user choose a passkey. */
    async createSignInOptions(
      browser: string,
      { rpId }: Site,
    ): Promise<PublicKeyCredentialRequestOptionsJSON> {
      const challenge = await challenges.issue(forSignIn(browser), challengeTtlMs)
      return { challenge, rpId, userVerification: 'required', timeout: challengeTtlMs }
    },

    /**
     * Returns what to store if the passkey has signed a challenge of this browser; otherwise undefined, after the same time without
     * a passkey.
     */
    async verify(
      found: FoundPasskey | undefined,
      browser: string,
      site: Site,
      response: AuthenticationResponseJSON,
    ) {
      const { answered, isChallenge } = await challenges.expect(forSignIn(browser))
      const isOwner = found && response.response.userHandle === toUserHandle(found.account.uid)
      const publicKey = isOwner ? found.passkey.publicKey : undefined
      const verified = await verifyAssertion(response, publicKey, { site, isChallenge })
      const challenge = answered()
      return verified && challenge && found ? { id: found.passkey.id, ...verified, challenge } : undefined
    },
  }
}

function toCreationOptions(
  challenge: string,
  { rpId }: Site,
  { uid, email }: Account,
  existing: Passkey[],
): PublicKeyCredentialCreationOptionsJSON {
  return {
    challenge,
    rp: { id: rpId, name: 'Staffbook' },
    user: { id: toUserHandle(uid), name: email, displayName: email },
    pubKeyCredParams: algorithms.map((alg) => ({ ...publicKeyType, alg })),
    excludeCredentials: existing.map(({ id }) => ({ ...publicKeyType, id })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
    timeout: challengeTtlMs,
  }
}

/** The `uid` is random, and colleagues know it. */
const toUserHandle = (uid: string) => Buffer.from(uid).toString('base64url')

export function toInfo({ id, name, createdAt, lastUsedAt, isBackedUp }: Passkey): PasskeyInfo {
  return toResponse({ id: toPublicId(id), name, createdAt, lastUsedAt, isBackedUp })
}
