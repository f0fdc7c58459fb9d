import type { Configuration } from 'openid-client'
import { createBoundedFetch } from './bounded-fetch.ts'
import type { SsoSettings } from './settings.ts'

/** Loaded on first use: most sign-ins are by password. */
const loadLibrary = () => import('openid-client')

export type Library = Awaited<ReturnType<typeof loadLibrary>>

/** What a provider says of itself has some kilobytes. Each sign-in copies it, also those of strangers that they never finish. */
const maxMetadataKilobytes = 64

/** Time for one request to the provider, in seconds. A person is waiting. */
const timeoutSeconds = 10

export interface OpenedProvider {
  library: Library
  server: ReturnType<Configuration['serverMetadata']>
  /** Whether the provider wants the client's secret in the body. */
  prefersPost: boolean
  /** Returns a configuration for one sign-in, which reads the provider's keys. */
  configure(post: boolean): Configuration
}

/** Reads the provider's metadata. Throws whatever the library throws. */
export async function discover(settings: SsoSettings): Promise<OpenedProvider> {
  const library = await loadLibrary()
  const { issuer, clientId, clientSecret } = settings
  const customFetch = createBoundedFetch(issuer)
  const isPlain = issuer.protocol === 'http:'
  const prepare = (configuration: Configuration) => {
    configuration.timeout = timeoutSeconds
    configuration[library.customFetch] = customFetch
    // Also of ID tokens that come from the provider itself.
    library.enableNonRepudiationChecks(configuration)
    if (isPlain) library.allowInsecureRequests(configuration)
    return configuration
  }
  const readMetadata = (address: URL) =>
    library.discovery(address, clientId, undefined, library.None(), {
      timeout: timeoutSeconds,
      [library.customFetch]: createBoundedFetch(issuer, maxMetadataKilobytes),
      ...(isPlain ? { execute: [library.allowInsecureRequests] } : {}),
    })
  const found = await readMetadata(issuer).catch((error) => {
    // The most common mistake in the setting is the slash at its end, which the provider's tokens have or have not.
    if (error?.code !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') throw error
    return readMetadata(toggleSlash(issuer))
  })
  const server = found.serverMetadata()
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authenticateBy = (post: boolean) => {
    if (clientSecret === undefined) return library.None()
    return post ? library.ClientSecretPost(clientSecret) : library.ClientSecretBasic(clientSecret)
  }
  return {
    library,
    server,
    prefersPost: !methods.includes('client_secret_basic'),
    // The library keeps keys for each configuration, and takes up to a minute to notice that the provider has changed them.
    configure: (post) =>
      prepare(new library.Configuration(server, clientId, undefined, authenticateBy(post))),
  }
}

function toggleSlash(issuer: URL): URL {
  const other = new URL(issuer)
  other.pathname = issuer.pathname.endsWith('/') ? issuer.pathname.slice(0, -1) : `${issuer.pathname}/`
  return other
}
