import {
  type Auth,
  createUserWithEmailAndPassword,
  EmailAuthProvider,
  reauthenticateWithCredential,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signOut,
  type User,
  updatePassword,
} from 'firebase/auth'
import { isAccountEmail } from '../../../contract/accounts.ts'
import { trimEmail } from '../../../contract/employees.ts'
import { findPasswordProblem } from '../../../contract/predictable-text.ts'
import { type IdentityService, ServiceError } from '../ports.ts'
import {
  createServiceError,
  readFirebaseCode,
  throwPasswordError,
  throwServiceError,
  throwSignInError,
} from './errors.ts'

/** `signUpAuth` only creates accounts: Firebase signs in each new one, which would replace the user of `auth`. */
export function createIdentityService(auth: Auth, signUpAuth: Auth): IdentityService {
  return {
    async createAccount(email, password) {
      if (!isAccountEmail(email)) throw createServiceError('invalid-email', { field: 'email' })
      requireValidPassword(password, 'password')
      const created = createUserWithEmailAndPassword(signUpAuth, trimEmail(email), password.normalize('NFC'))
      const { user } = await created.catch(throwServiceError)
      await signOut(signUpAuth).catch(throwServiceError)
      return toUser(user)
    },

    async signIn(email, password) {
      const { user } = await signInWithEmailAndPassword(
        auth,
        trimEmail(email),
        password.normalize('NFC'),
      ).catch(throwSignInError)
      return toUser(user)
    },

    async signOut() {
      const user = auth.currentUser
      try {
        await signOut(auth)
      } catch (error) {
        // The SDK drops the user even if ending the session fails. Restore it: the user is still signed in.
        if (user) await auth.updateCurrentUser(user).catch(() => {})
        throwServiceError(error)
      }
    },

    async changePassword(password, newPassword) {
      await auth.authStateReady()
      const user = auth.currentUser
      if (!user) throw createServiceError('not-signed-in')
      requireValidPassword(newPassword, 'newPassword')
      const credential = EmailAuthProvider.credential(user.email ?? '', password.normalize('NFC'))
      await reauthenticateWithCredential(user, credential).catch(throwPasswordError('password'))
      await updatePassword(user, newPassword.normalize('NFC')).catch(throwPasswordError('newPassword'))
    },

    async sendPasswordReset(email) {
      if (!isAccountEmail(email)) throw createServiceError('invalid-email', { field: 'email' })
      await sendPasswordResetEmail(auth, trimEmail(email)).catch((error) => {
        // Without email enumeration protection Firebase tells whether there is an account; the page does not.
        if (readFirebaseCode(error) !== 'auth/user-not-found') throwServiceError(error)
      })
    },
  }
}

function requireValidPassword(password: string, field: string): void {
  const message = findPasswordProblem(password)
  if (message) throw new ServiceError('weak-password', message, { field })
}

/** Copies the fields one by one: `user.toJSON()` contains the refresh token, the access token and the API key. */
function toUser({ uid, email, emailVerified, isAnonymous, metadata }: User) {
  return {
    uid,
    email: email ?? '',
    emailVerified,
    isAnonymous,
    createdAt: toIsoTime(metadata.creationTime),
    lastLoginAt: toIsoTime(metadata.lastSignInTime),
  }
}

function toIsoTime(time: string | undefined): string {
  return new Date(time ?? 0).toISOString()
}
