import { describe, expect, test } from 'vitest'
import { ServiceError } from '../ports.ts'
import { throwSignInError, toServiceError } from './errors.ts'

/** An error like Firebase's, which may contain the service's raw response. */
function firebaseError(code: string) {
  const error = new Error(`Firebase: Error (${code}).`)
  return Object.assign(error, { code, customData: { _tokenResponse: { refreshToken: 'a secret' } } })
}

describe('Firebase errors (§8)', () => {
  test.each([
    ['auth/email-already-in-use', 'account-exists'],
    ['auth/password-does-not-meet-requirements', 'weak-password'],
    ['auth/admin-restricted-operation', 'sign-up-closed'],
    ['auth/operation-not-allowed', 'sign-up-closed'],
    ['auth/too-many-requests', 'too-many-requests'],
    ['auth/network-request-failed', 'offline'],
    ['auth/user-token-expired', 'not-signed-in'],
    ['unauthenticated', 'not-signed-in'],
    ['permission-denied', 'not-allowed'],
    ['resource-exhausted', 'busy'],
    ['unavailable', 'offline'],
    ['unknown', 'offline'],
    ['auth/argument-error', 'server-error'],
    ['internal', 'server-error'],
  ])('maps %s to %s', (theirs, ours) => {
    expect(toServiceError(firebaseError(theirs))).toMatchObject({ name: 'ServiceError', code: ours })
  })

  test('asks to wait after resource-exhausted', () => {
    expect(toServiceError(firebaseError('resource-exhausted'))).toMatchObject({ retryAfterMs: 30_000 })
    expect(toServiceError(firebaseError('aborted'))).toMatchObject({ code: 'busy', retryAfterMs: undefined })
  })

  test('signing in: a wrong password and an unknown, disabled or malformed account produce the same error', () => {
    const codes = ['wrong-password', 'user-not-found', 'invalid-credential', 'user-disabled', 'invalid-email']
    const results = codes.map((code) => {
      try {
        return throwSignInError(firebaseError(`auth/${code}`))
      } catch (error) {
        const { code, message } = error as ServiceError
        return { code, message }
      }
    })
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1)
    expect(results[0]).toMatchObject({ code: 'invalid-credentials' })
  })

  test('retains only the code of the original error', () => {
    const { cause } = toServiceError(firebaseError('auth/internal-error'))
    expect(cause).toBe('auth/internal-error')
  })

  test('maps other errors to server-error and returns a ServiceError unchanged', () => {
    expect(toServiceError(new TypeError('x is not a function'))).toMatchObject({ code: 'server-error' })
    expect(toServiceError(undefined)).toMatchObject({ code: 'server-error' })
    const ours = new ServiceError('offline', 'No connection.')
    expect(toServiceError(ours)).toBe(ours)
  })
})
