import type { Configuration, CustomFetch } from 'openid-client'
import { discover, type OpenedProvider } from './discover.ts'
import { type Grant, readPerson, type VouchedPerson } from './person.ts'
import {
  isClientRefused,
  isOfCode,
  type LibraryError,
  ProviderError,
  toProviderError,
  toRefusal,
} from './provider-error.ts'
import { isSafeAddress, type SsoSettings } from './settings.ts'

/** Metadata is read again after this long. */
const configurationTtlMs = 60 * 60_000

/** After a failure the provider is left alone for this long, however many people try. */
const retryAfterMs = 3000

/** The one issuer that documents no `login` among the prompts it accepts; it refuses others. */
const google = 'https://accounts.google.com'

export interface AskingOptions {
  /** Asks for a new sign-in, also of somebody who is signed in there. */
  fresh?: boolean
  /** Asks whom to sign in as, also if somebody is signed in there. */
  chooses?: boolean
  /** Is called before the provider is sent a request. */
  onPush?: () => void
}

/** What binds an answer to the browser that has asked. */
export interface Proof {
  state: string
  nonce: string
  verifier: string
}

export type Provider = ReturnType<typeof createProvider>

/** Returns a function that opens the provider when it is needed, and knows it for some time. `forget` ends that. */
function createOpener(settings: SsoSettings, now: () => number) {
  let current: { since: number; opening: Promise<OpenedProvider> } | undefined
  let failed: { until: number; error: ProviderError } | undefined
  const forget = () => {
    current = undefined
  }

  function open(): Promise<OpenedProvider> {
    if (failed && failed.until > now()) throw failed.error
    if (current && now() - current.since < configurationTtlMs) return current.opening
    const previous = current
    const opening = discover(settings).catch((error) => {
      // What was known for an hour is likely to be right still.
      current = previous && { ...previous, since: now() - configurationTtlMs + 60_000 }
      if (previous) return previous.opening
      failed = { until: now() + retryAfterMs, error: toProviderError(error, 'unavailable') }
      throw failed.error
    })
    current = { since: now(), opening }
    return opening
  }

  return { open, forget }
}

/** Returns a function that sends the provider what needs the client's secret, and remembers in which way the provider takes it. */
function createAuthentication({ clientSecret }: SsoSettings) {
  let usesPost: boolean | undefined

  return async <T>(
    { configure, prefersPost }: OpenedProvider,
    request: (configuration: Configuration) => Promise<T>,
  ): Promise<T> => {
    const send = async (post: boolean) => {
      const result = await request(configure(post))
      usesPost = post
      return result
    }
    const first = usesPost ?? prefersPost
    try {
      return await send(first)
    } catch (error) {
      // A code is still good: who sends it was refused before it was looked at.
      if (!isClientRefused(error) || clientSecret === undefined) throw error
      return await send(!first)
    }
  }
}

type Authenticate = ReturnType<typeof createAuthentication>

/** Exchanges the code of an answer. */
async function exchange(
  authenticate: Authenticate,
  opened: OpenedProvider,
  { redirectUri }: SsoSettings,
  response: URLSearchParams,
  proof: Proof,
): Promise<Grant> {
  const { library } = opened
  let isSent = false
  try {
    return await authenticate(opened, async (configuration) => {
      const address = new URL(redirectUri)
      address.search = response.toString()
      const send = configuration[library.customFetch] as CustomFetch
      configuration[library.customFetch] = (...request) => {
        isSent = true
        return send(...request)
      }
      const tokens = await library.authorizationCodeGrant(configuration, address, {
        expectedState: proof.state,
        expectedNonce: proof.nonce,
        pkceCodeVerifier: proof.verifier,
      })
      return { configuration, tokens }
    })
  } catch (error) {
    // Nothing that a browser sends can make a provider's tokens wrong.
    const isOfAnswer = !isSent || isOfCode(error as LibraryError)
    throw toProviderError(error, isOfAnswer ? 'invalid' : 'unavailable')
  }
}

/**
 * Sends the provider directly what it is asked, if it accepts that: the browser, whose user may not be the owner of the session, can't
 * take anything out then. Undefined if it doesn't.
 */
async function push(authenticate: Authenticate, opened: OpenedProvider, parameters: Record<string, string>) {
  const { library } = opened
  const build = (configuration: Configuration) =>
    library.buildAuthorizationUrlWithPAR(configuration, parameters)
  // Some offer it, but not to this client.
  return authenticate(opened, build).catch(() => undefined)
}

/** Asks a provider of OpenID Connect who somebody is. Nothing is requested before the first sign-in. */
export function createProvider(settings: SsoSettings, now: () => number = Date.now) {
  const { open, forget } = createOpener(settings, now)
  const authenticate = createAuthentication(settings)
  return {
    /** Returns where the browser goes to sign in. */
    async createAddress(
      { state, nonce, verifier }: Proof,
      { fresh = false, chooses = false, onPush = () => {} }: AskingOptions = {},
    ): Promise<string> {
      const opened = await open()
      const { library, server, configure } = opened
      const isPushed =
        server.pushed_authorization_request_endpoint !== undefined &&
        (fresh || server.require_pushed_authorization_requests)
      if (isPushed) onPush()
      try {
        const parameters = {
          redirect_uri: settings.redirectUri,
          scope: settings.scopes,
          state,
          nonce,
          code_challenge: await library.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...(fresh || chooses ? { prompt: server.issuer === google ? 'select_account' : 'login' } : {}),
          ...(fresh ? { max_age: '0' } : {}),
        }
        const pushed = isPushed ? await push(authenticate, opened, parameters) : undefined
        const url = pushed ?? library.buildAuthorizationUrl(configure(false), parameters)
        if (isSafeAddress(url, settings.issuer)) return url.href
        throw new ProviderError('unavailable', 'the address of its sign-in page is not safe')
      } catch (error) {
        throw toProviderError(error, 'unavailable')
      }
    },

    /** Exchanges the code of an answer, whose state the caller has recognized, and verifies who has signed in. */
    async verify(response: URLSearchParams, proof: Proof): Promise<VouchedPerson> {
      // Also where `iss` is missing, which some leave out of their refusals.
      const refusal = response.get('error')
      if (refusal !== null) throw toRefusal(refusal)
      const opened = await open()
      try {
        const grant = await exchange(authenticate, opened, settings, response, proof)
        return await readPerson(opened, grant, settings)
      } catch (error) {
        const known = toProviderError(error, 'unavailable')
        // Its keys or addresses may be others now, unless the answer is at fault, which anybody can send.
        if (known.kind === 'unavailable') forget()
        throw known
      }
    },
  }
}
