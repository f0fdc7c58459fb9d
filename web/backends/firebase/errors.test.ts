import { describe, expect, test } from 'vitest'
import { ServiceError } from '../ports.ts'
import { throwSignInError, toServiceError } from './errors.ts'

/** As Firebase's errors are: the code decides, the rest may carry the service's raw answer. */
function firebaseError(code: string) {
  const error = new Error(`Firebase: Error (${code}).`)
  return Object.assign(error, { code, customData: { _tokenResponse: { refreshToken: 'a secret' } } })
}

describe('8 Firebase’s errors in our codes and words', () => {
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
  ])('%s is %s', (theirs, ours) => {
    expect(toServiceError(firebaseError(theirs))).toMatchObject({ name: 'ServiceError', code: ours })
  })

  test('signing in: a wrong password, an unknown account, a disabled one and a malformed email are one answer', () => {
    const codes = ['wrong-password', 'user-not-found', 'invalid-credential', 'user-disabled', 'invalid-email']
    const answers = codes.map((code) => {
      try {
        return throwSignInError(firebaseError(`auth/${code}`))
      } catch (error) {
        const { code, message } = error as ServiceError
        return { code, message }
      }
    })
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ code: 'invalid-credentials' })
  })

  test('of the error itself only the code goes on', () => {
    const { cause } = toServiceError(firebaseError('auth/internal-error'))
    expect(cause).toBe('auth/internal-error')
  })

  test('what is no error of Firebase’s is a server-error, and one of ours stays', () => {
    expect(toServiceError(new TypeError('x is not a function'))).toMatchObject({ code: 'server-error' })
    expect(toServiceError(undefined)).toMatchObject({ code: 'server-error' })
    const ours = new ServiceError('offline', 'No line.')
    expect(toServiceError(ours)).toBe(ours)
  })
})
