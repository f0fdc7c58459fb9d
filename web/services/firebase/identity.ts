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
import { isAccountEmail, isAccountPassword, type User as OurUser } from '../../../contract/accounts.ts'
import type { IdentityService } from '../ports.ts'
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
      if (!isAccountPassword(password)) throw failure('weak-password', { field: 'password' })
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
      await signOut(auth).catch(refuse)
    },

    async changePassword(password, newPassword) {
      await auth.authStateReady()
      const user = auth.currentUser
      if (!user) throw failure('not-signed-in')
      if (!isAccountPassword(newPassword)) throw failure('weak-password', { field: 'newPassword' })
      const present = EmailAuthProvider.credential(user.email ?? '', password.normalize('NFC'))
      await reauthenticateWithCredential(user, present).catch(refusePassword('password'))
      await updatePassword(user, newPassword.normalize('NFC')).catch(refusePassword('newPassword'))
    },
  }
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
