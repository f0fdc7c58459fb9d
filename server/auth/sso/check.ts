import { createBoundedFetch } from './bounded-fetch.ts'
import { discover, type OpenedProvider } from './discover.ts'
import { isClientRefused, toProviderError } from './provider-error.ts'
import { isSafeAddress, type SsoSettings } from './settings.ts'

/** A clock that differs by more makes ID tokens look expired, or not yet valid. */
const maxClockDifferenceMs = 30_000

/** Tries what a sign-in needs, as far as that goes without a person. `facts` and `problems` are sentences. */
export async function checkProvider(settings: SsoSettings): Promise<{ facts: string[]; problems: string[] }> {
  const facts = [`The provider sends browsers back to ${settings.redirectUri}: it has to know this address.`]
  try {
    const opened = await discover(settings)
    facts.push(`The issuer is ${opened.server.issuer}.`)
    const problems = [
      ...checkMetadata(opened, settings),
      ...(await checkKeys(opened, settings)),
      ...(await checkClient(opened, settings)),
    ]
    if (problems.length === 0)
      facts.push('Its addresses, keys and clock are right, and it knows this client.')
    return { facts, problems }
  } catch (error) {
    const { reason } = toProviderError(error, 'unavailable')
    const named: unknown = (error as { cause?: { body?: { issuer?: unknown } } }).cause?.body?.issuer
    if (typeof named === 'string' && URL.canParse(named))
      return { facts, problems: [`It calls itself ${new URL(named).href}: set OIDC_ISSUER to its own name.`] }
    if (/CERT|SIGNATURE/.test(reason))
      return {
        facts,
        problems: [
          `The certificate of ${settings.issuer.host} is not trusted (${reason}): name the file of its authority in NODE_EXTRA_CA_CERTS.`,
        ],
      }
    const place = (error as { cause?: Partial<Response> }).cause?.headers?.get('location')
    const target = place && URL.parse(place, settings.issuer.href)
    if (target)
      return {
        facts,
        problems: [
          `${settings.issuer.href} redirects to ${target.origin}, which is not followed: set OIDC_ISSUER to the address at which the provider answers.`,
        ],
      }
    return { facts, problems: [`${settings.issuer.href} does not answer as a provider does (${reason}).`] }
  }
}

function checkMetadata({ server }: OpenedProvider, { issuer, scopes }: SsoSettings): string[] {
  const addresses = {
    authorization_endpoint: server.authorization_endpoint,
    token_endpoint: server.token_endpoint,
    jwks_uri: server.jwks_uri,
  }
  const unsafe = Object.entries(addresses).filter(([, text]) => {
    const url = URL.parse(text ?? '')
    return !url || !isSafeAddress(url, issuer)
  })
  const known = server.scopes_supported
  const unknown = known ? scopes.split(/\s+/).filter((scope) => !known.includes(scope)) : []
  const codes = server.response_types_supported
  const algorithms = server.id_token_signing_alg_values_supported
  return [
    ...unsafe.map(([name]) => `Its ${name} is missing or not an https:// address.`),
    ...unknown.map((scope) => `It does not list the scope ${scope} of OIDC_SCOPES.`),
    ...(codes && !codes.includes('code') ? ['It does not offer the authorization code flow.'] : []),
    // Its own secret signs then, so that nobody else could check a signature.
    ...(algorithms?.every((name) => /^(HS\d+|none)$/.test(name))
      ? [`It signs ID tokens with no key (${algorithms.join(', ')}): choose a signing key there.`]
      : []),
  ]
}

async function checkKeys({ server }: OpenedProvider, { issuer }: SsoSettings): Promise<string[]> {
  if (!server.jwks_uri) return []
  const response = await createBoundedFetch(issuer)(server.jwks_uri, { signal: AbortSignal.timeout(10_000) })
  const { keys } = (await response.json().catch(() => ({}))) as { keys?: unknown[] }
  const difference = Date.parse(response.headers.get('date') ?? '') - Date.now()
  const seconds = Math.round(Math.abs(difference) / 1000)
  return [
    ...(Array.isArray(keys) && keys.length > 0 ? [] : ['It has no keys at its jwks_uri.']),
    ...(Math.abs(difference) > maxClockDifferenceMs
      ? [`Its clock differs from this one by ${seconds} s: set the time of both by NTP.`]
      : []),
  ]
}

/** Sends a code that nobody has got: the provider looks at the client first. */
async function checkClient(
  { library, server, configure, prefersPost }: OpenedProvider,
  { clientSecret, redirectUri }: SsoSettings,
): Promise<string[]> {
  const refusals: string[] = []
  for (const post of clientSecret === undefined ? [false] : [prefersPost, !prefersPost]) {
    const address = new URL(`${redirectUri}?code=check`)
    // The library does not send a code without it, if the provider says that it adds it.
    address.searchParams.set('iss', server.issuer)
    const checks = { pkceCodeVerifier: library.randomPKCECodeVerifier() }
    const error = await library
      .authorizationCodeGrant(configure(post), address, checks)
      .catch((error) => error)
    // It has looked at the code, whatever it calls that: `invalid_grant`, or Glewlwyd `invalid_code`.
    if (error?.error !== undefined && !isClientRefused(error)) return []
    refusals.push(toProviderError(error, 'unavailable').reason)
  }
  return [
    `It does not accept OIDC_CLIENT_ID${clientSecret === undefined ? ' without a secret' : ' and its secret'} (${refusals.join('; ')}).`,
  ]
}
