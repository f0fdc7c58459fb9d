/** `unavailable`: the provider or its settings are at fault; `cancelled`: it refuses the person; `invalid`: the answer is. */
export type FailureKind = 'unavailable' | 'cancelled' | 'invalid'

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

/** Whether the provider does not accept who asks; Glewlwyd calls it `unauthorized_client`. */
export const isClientRefused = (error: unknown) =>
  ['invalid_client', 'unauthorized_client'].includes((error as { error?: string }).error ?? '')

/** Error codes of OAuth that tell of wrong settings there or here. */
const settingsErrors = [
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
]

export interface LibraryError {
  name?: string
  code?: string
  /** A code of OAuth, as the provider sends it. */
  error?: string
  status?: number
  cause?: { code?: string; status?: number }
}

const forbidden =
  '(this machine forbids the connection; under systemd, see IPAddressAllow in deploy/staffbook.service)'

/** Describes what the library has thrown, without what the provider has sent. */
export function toProviderError(thrown: unknown, otherwise: FailureKind): ProviderError {
  if (thrown instanceof ProviderError) return thrown
  const { name, code, error, cause, status = cause?.status } = thrown as LibraryError
  const known = /^[\w-]{1,40}$/.test(error ?? '') ? error : undefined
  const parts = [name, known ?? code, cause?.code, cause?.code === 'EPERM' && forbidden, status]
  const reason = parts.filter((part) => part !== undefined && part !== false).join(' ')
  if (name === 'AuthorizationResponseError')
    return new ProviderError(settingsErrors.includes(known ?? '') ? 'unavailable' : 'cancelled', reason)
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
    (status !== undefined && status >= 500)
  return new ProviderError(isUnreachable ? 'unavailable' : otherwise, reason)
}
