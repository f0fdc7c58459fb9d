import {
  type Auth,
  createUserWithEmailAndPassword,
  EmailAuthProvider,
  reauthenticateWithCredential,
  signInWithEmailAndPassword,
  signOut,
  type User,
  updatePassword,
} from 'firebase/auth'
import { isAccountEmail, type User as OurUser, weaknessOf } from '../../../contract/accounts.ts'
import { type IdentityService, ServiceError } from '../ports.ts'
import { failure, refuse, refusePassword, refuseSignIn } from './errors.ts'

/** The identity service's user, without its tokens and keys. */
export interface FirebaseUser extends OurUser {
  emailVerified: boolean
  isAnonymous: boolean
  lastLoginAt: string
}

interface Parts {
  auth: Auth
  /** Where accounts are created. Firebase signs a new account in; here that displaces nobody who is signed in. */
  newcomers: Auth
}

export function createIdentityService({ auth, newcomers }: Parts): IdentityService {
  return {
    async createAccount(email, password) {
      if (!isAccountEmail(email)) throw failure('invalid-email', { field: 'email' })
      requireGoodPassword(password, 'password')
      const created = createUserWithEmailAndPassword(newcomers, email.trim(), password.normalize('NFC'))
      const { user } = await created.catch(refuse)
      await signOut(newcomers).catch(refuse)
      return userOf(user)
    },

    async signIn(email, password) {
      const { user } = await signInWithEmailAndPassword(auth, email.trim(), password.normalize('NFC')).catch(
        refuseSignIn,
      )
      return userOf(user)
    },

    async signOut() {
      const user = auth.currentUser
      try {
        await signOut(auth)
      } catch (error) {
        // The library forgets the user before it fails to forget the session; who could not sign out stays signed in.
        if (user) await auth.updateCurrentUser(user).catch(() => {})
        refuse(error)
      }
    },

    async changePassword(password, newPassword) {
      await auth.authStateReady()
      const user = auth.currentUser
      if (!user) throw failure('not-signed-in')
      requireGoodPassword(newPassword, 'newPassword')
      const present = EmailAuthProvider.credential(user.email ?? '', password.normalize('NFC'))
      await reauthenticateWithCredential(user, present).catch(refusePassword('password'))
      await updatePassword(user, newPassword.normalize('NFC')).catch(refusePassword('newPassword'))
    },
  }
}

function requireGoodPassword(password: string, field: string): void {
  const message = weaknessOf(password)
  if (message) throw new ServiceError('weak-password', message, { field })
}

/** Field by field: a Firebase user turns into JSON with its refresh token, its access token and the API key. */
function userOf({ uid, email, emailVerified, isAnonymous, metadata }: User): FirebaseUser {
  return {
    uid,
    email: email ?? '',
    emailVerified,
    isAnonymous,
    createdAt: isoTime(metadata.creationTime),
    lastLoginAt: isoTime(metadata.lastSignInTime),
  }
}

function isoTime(time: string | undefined): string {
  return new Date(time ?? 0).toISOString()
}
