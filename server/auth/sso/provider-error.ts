/**
 * `unavailable`: the provider or its settings are at fault; `cancelled`: it refuses the person; `invalid`: the answer is; `other`: it is
 * of another person than that of the session.
 */
export type FailureKind = 'unavailable' | 'cancelled' | 'invalid' | 'other'

/** `reason` is for the log: it has no code, token or email, nor a text of the provider. */
export class ProviderError extends Error {
  override name = 'ProviderError'
  readonly kind: FailureKind
  readonly reason: string

  constructor(kind: FailureKind, reason: string) {
    super(reason)
    this.kind = kind
    this.reason = reason
  }
}

/** Error codes of OAuth that tell of wrong settings there or here. */
const settingsErrors = [
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
]

/** What only wrong settings make a provider send back with the browser. At the other addresses a made-up code can, too. */
const requestErrors = [
  'invalid_request',
  'invalid_request_object',
  'invalid_request_uri',
  'invalid_resource',
  'invalid_target',
  'registration_not_supported',
  'request_not_supported',
  'request_uri_not_supported',
  'unsupported_response_type',
]

export interface LibraryError {
  name?: string
  code?: string
  /** A code of OAuth, as the provider sends it. */
  error?: string
  status?: number
  cause?: {
    name?: string
    message?: string
    code?: string
    status?: number
    cause?: { claim?: string }
  }
}

/** Whether the provider does not accept who asks: some say only 401, Glewlwyd `unauthorized_client`. */
export function isClientRefused(thrown: unknown): boolean {
  const { error, status, cause } = thrown as LibraryError
  return ['invalid_client', 'unauthorized_client'].includes(error ?? '') || (status ?? cause?.status) === 401
}

const wrongClock = '(the clocks of both differ: set their time by NTP)'
const forbidden =
  '(this machine forbids the connection; under systemd, see IPAddressAllow in deploy/staffbook.service)'

/** What the provider has refused with the browser. Anybody can make it up. */
export function toRefusal(error: string): ProviderError {
  const isOfSettings = [...settingsErrors, ...requestErrors].includes(error)
  return new ProviderError(isOfSettings ? 'unavailable' : 'cancelled', `the provider says ${readable(error)}`)
}

const readable = (error: string | undefined) => (/^[\w-]{1,40}$/.test(error ?? '') ? error : undefined)

/** Whether it is the code that the provider does not accept, or the answer is of another request than its code. */
export const isOfCode = ({ error, cause }: LibraryError) =>
  error !== undefined || cause?.cause?.claim === 'nonce'

/** Describes what the library has thrown, without what the provider has sent. */
export function toProviderError(thrown: unknown, otherwise: FailureKind): ProviderError {
  if (thrown instanceof ProviderError) return thrown
  // From our `fetch`, by way of the library.
  const { cause: wrapped } = thrown as { cause?: unknown }
  if (wrapped instanceof ProviderError) return wrapped
  const { name, code, error, cause, status = cause?.status } = thrown as LibraryError
  const known = readable(error)
  const parts = [
    name,
    known ?? code,
    cause?.code !== code && cause?.code,
    // A fixed text of the library.
    cause?.name === 'OperationProcessingError' && `(${cause.message})`,
    code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' && wrongClock,
    cause?.code === 'EPERM' && forbidden,
    status,
  ]
  const reason = parts.filter((part) => part !== undefined && part !== false).join(' ')
  const isUnreachable =
    name === 'TypeError' ||
    [
      'OAUTH_TIMEOUT',
      'OAUTH_ABORT',
      'OAUTH_RESPONSE_IS_NOT_CONFORM',
      'OAUTH_RESPONSE_IS_NOT_JSON',
      'OAUTH_PARSE_ERROR',
      'OAUTH_HTTP_REQUEST_FORBIDDEN',
    ].includes(code ?? '') ||
    settingsErrors.includes(known ?? '') ||
    (status !== undefined && (status >= 500 || status === 429))
  return new ProviderError(isUnreachable ? 'unavailable' : otherwise, reason)
}
