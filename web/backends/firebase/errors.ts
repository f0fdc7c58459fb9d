import { type ErrorCode, errors } from '../../../contract/errors.ts'
import { ServiceError, type ServiceErrorCode } from '../ports.ts'

/** Firebase's codes in ours. What is not here is a `server-error`. */
const serviceErrorCodes: Record<string, ServiceErrorCode> = {
  'auth/email-already-in-use': 'account-exists',
  'auth/invalid-email': 'invalid-email',
  'auth/missing-email': 'invalid-email',
  'auth/weak-password': 'weak-password',
  'auth/missing-password': 'weak-password',
  'auth/password-does-not-meet-requirements': 'weak-password',
  'auth/admin-restricted-operation': 'sign-up-closed',
  'auth/operation-not-allowed': 'sign-up-closed',
  'auth/wrong-password': 'invalid-credentials',
  'auth/user-not-found': 'invalid-credentials',
  'auth/invalid-credential': 'invalid-credentials',
  'auth/invalid-login-credentials': 'invalid-credentials',
  'auth/user-disabled': 'invalid-credentials',
  'auth/too-many-requests': 'too-many-requests',
  'auth/quota-exceeded': 'too-many-requests',
  'auth/network-request-failed': 'offline',
  'auth/timeout': 'offline',
  'auth/user-token-expired': 'not-signed-in',
  'auth/invalid-user-token': 'not-signed-in',
  'auth/invalid-refresh-token': 'not-signed-in',
  unauthenticated: 'not-signed-in',
  'permission-denied': 'not-allowed',
  'not-found': 'not-found',
  'already-exists': 'id-in-use',
  'resource-exhausted': 'busy',
  aborted: 'busy',
  // What the SDK says when there is no line, by transport: WebChannel, gRPC, a request that was given up.
  unavailable: 'offline',
  cancelled: 'offline',
  'deadline-exceeded': 'offline',
  unknown: 'offline',
}

/** The code of a Firebase error; empty for any other error. */
export function readFirebaseCode(error: unknown): string {
  const { code } = Object(error)
  return typeof code === 'string' ? code : ''
}

/**
 * What went wrong, in our codes and words. Of the error itself only the code goes on: it may carry the service's raw
 * answer, and the page logs what it gets.
 */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const code = readFirebaseCode(error)
  return createServiceError(serviceErrorCodes[code] ?? 'server-error', {
    cause: code || String(Object(error).name),
  })
}

/** For the end of a call's promise: `.catch(refuse)`. */
export function throwServiceError(error: unknown): never {
  throw toServiceError(error)
}

/** As `refuse`, for a call that was given two passwords: names the one that the service did not take. */
export function throwPasswordError(field: string): (error: unknown) => never {
  return (error) => {
    const { code, message, cause } = toServiceError(error)
    const isAboutInput = code === 'invalid-credentials' || code === 'weak-password'
    throw new ServiceError(code, message, { cause, field: isAboutInput ? field : undefined })
  }
}

/** As `refuse`, for signing in: whatever is wrong with email or password is one and the same answer. */
export function throwSignInError(error: unknown): never {
  const { code, message, cause } = toServiceError(error)
  const isAboutInput = code === 'invalid-email' || code === 'weak-password'
  throw isAboutInput
    ? createServiceError('invalid-credentials', { cause })
    : new ServiceError(code, message, { cause })
}

export function createServiceError(
  code: ServiceErrorCode,
  options?: { field?: string; cause?: unknown },
): ServiceError {
  return new ServiceError(code, messageFor(code), options)
}

function messageFor(code: ServiceErrorCode): string {
  if (code === 'offline') return 'The service can\u2019t be reached. Please check your connection.'
  if (code === 'cancelled') return 'Cancelled.'
  return errors[code satisfies ErrorCode].message
}
