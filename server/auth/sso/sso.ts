import { createHmac, randomBytes } from 'node:crypto'
import { confirmationTtlMs, ssoTtlMs } from '../../../contract/identity/sso.ts'
import type {
  AnsweredChallenge,
  AuthenticatedSession,
  IdentityStorage,
  PasskeyStorage,
} from '../../storage/storage.ts'
import { type Challenges, createChallenges } from '../challenges.ts'
import { createUnusableHash } from '../password-hash.ts'
import type { VouchedPerson } from './person.ts'
import { type AskingOptions, createProvider, type Provider } from './provider.ts'
import { ProviderError } from './provider-error.ts'
import type { SsoSettings } from './settings.ts'

/** What an answer is for, with a secret of the browser that asked for it. */
const forSignIn = (browser: string) => `sso sign-in ${browser}`
const forConfirmation = ({ session }: AuthenticatedSession, browser: string) =>
  `sso confirmation ${session.hash} ${browser}`
const forConfirmed = ({ session }: AuthenticatedSession) => `sso confirmed ${session.hash}`

/** Clocks of the provider and this server may differ by so much, in seconds. */
const clockToleranceSeconds = 30

export type Sso = ReturnType<typeof createSso>

interface SsoOptions {
  settings: SsoSettings
  storage: { identities: IdentityStorage; passkeys: Pick<PasskeyStorage, 'readChallengeKey'> }
  now?: () => number
}

/**
 * Single sign-on. Nothing is stored for visitors, so that any server may get the answer: the `state` is a challenge, and nonce and
 * PKCE verifier are derived from it and from the browser's secret.
 */
export function createSso({ settings, storage, now = Date.now }: SsoOptions) {
  const { identities, passkeys } = storage
  const challenges = createChallenges(passkeys.readChallengeKey, now)
  const asking = createAsking(createProvider(settings, now), challenges, passkeys.readChallengeKey)

  return {
    settings,
    identities,

    /** Returns where the browser goes to sign in at the provider. Throws `ProviderError`, and whatever `onPush` throws. */
    begin: (browser: string, options: AskingOptions = {}) => asking.begin(forSignIn(browser), options),

    /** Returns who has signed in at the provider, and the challenge to use up. Throws `ProviderError`. */
    readAnswer: (browser: string, response: string) => asking.readAnswer(forSignIn(browser), response),

    /** Stores a sign-in of a person that the provider vouches for. */
    signIn: (
      { person, challenge }: Answer,
      options: Pick<
        Parameters<IdentityStorage['signIn']>[0],
        'session' | 'addressHash' | 'admitsAll' | 'invitation'
      >,
    ) =>
      identities.signIn({
        identity: { issuer: person.issuer, subject: person.subject },
        email: person.email,
        challenge,
        newAccount: {
          uid: randomBytes(15).toString('base64url'),
          passwordHash: createUnusableHash(),
          createdAt: new Date(now()).toISOString(),
        },
        ...options,
        now: now(),
      }),

    ...createConfirmation(asking, challenges, identities),

    isConnected: async (uid: string) => (await identities.listConnected(uid)).length > 0,
  }
}

function createConfirmation(asking: Asking, challenges: Challenges, identities: IdentityStorage) {
  return {
    /** Like `begin`, even if the browser is signed in at the provider. */
    beginConfirmation: (session: AuthenticatedSession, browser: string, onPush: () => void) =>
      asking.begin(forConfirmation(session, browser), { fresh: true, onPush }),

    /** Returns a proof that the owner of the session has just signed in at the provider. Throws `ProviderError`. */
    async confirm(session: AuthenticatedSession, browser: string, response: string): Promise<string> {
      const { person, challenge, saysWhen } = await asking.readAnswer(
        forConfirmation(session, browser),
        response,
      )
      const { issuer, subject, authenticatedAt, isAllowed } = person
      const askedAt = (challenge.expiresAt - ssoTtlMs) / 1000
      if (authenticatedAt === undefined ? saysWhen : authenticatedAt < askedAt - clockToleranceSeconds)
        throw new ProviderError('invalid', 'the sign-in there was earlier')
      const { hash, uid } = session.session
      const isOwner = await identities.confirm({ issuer, subject }, uid, hash, challenge)
      if ((await identities.findAccount({ issuer, subject }))?.uid !== uid)
        throw new ProviderError('other', 'this is somebody else')
      if (!isOwner || !isAllowed) throw new ProviderError('invalid', 'this was answered, or is not allowed')
      return challenges.issue(forConfirmed(session), confirmationTtlMs)
    },

    async isConfirmed(session: AuthenticatedSession, proof: string | undefined): Promise<boolean> {
      const { isChallenge } = await challenges.expect(forConfirmed(session))
      return proof !== undefined && isChallenge(proof)
    },
  }
}

interface Answer {
  person: VouchedPerson
  challenge: AnsweredChallenge
  /** The provider has said in this answer, or an earlier one, when somebody has signed in there. */
  saysWhen: boolean
}

type Asking = ReturnType<typeof createAsking>

function createAsking(provider: Provider, challenges: Challenges, readKey: () => Promise<string>) {
  let saysWhen = false

  async function prove(purpose: string, state: string) {
    const key = await readKey()
    const derive = (name: string) =>
      createHmac('sha256', key).update(`${name} ${state}\n${purpose}`).digest('base64url')
    return { state, nonce: derive('sso nonce'), verifier: derive('sso verifier') }
  }
  return {
    begin: async (purpose: string, options: AskingOptions) =>
      provider.createAddress(await prove(purpose, await challenges.issue(purpose, ssoTtlMs)), options),

    async readAnswer(purpose: string, response: string): Promise<Answer> {
      const parameters = new URLSearchParams(response)
      const states = parameters.getAll('state')
      // Some refuse without it. This tells the person no more than the address has.
      if (states.length === 0 && parameters.has('error'))
        throw new ProviderError('cancelled', 'the provider refuses without the state')
      const { answered, isChallenge } = await challenges.expect(purpose)
      const [state = ''] = states
      if (states.length !== 1 || !isChallenge(state))
        throw new ProviderError('invalid', 'the state is of another browser, too old or invented')
      const person = await provider.verify(parameters, await prove(purpose, state))
      saysWhen ||= person.authenticatedAt !== undefined
      return { person, challenge: answered() as AnsweredChallenge, saysWhen }
    },
  }
}
