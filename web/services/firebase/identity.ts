import {
  type Auth,
  createUserWithEmailAndPassword,
  signInWithEmailAndPassword,
  signOut,
  type User,
} from 'firebase/auth'
import { isAccountEmail, isAccountPassword, type User as OurUser } from '../../../contract/accounts.ts'
import type { IdentityService } from '../ports.ts'
import { failure, refuse, refuseSignIn } from './errors.ts'

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
