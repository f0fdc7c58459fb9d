import {
  type Auth,
  createUserWithEmailAndPassword,
  deleteUser,
  EmailAuthProvider,
  reauthenticateWithCredential,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signOut,
  type User,
  updatePassword,
} from 'firebase/auth'
import { type IdentityPolicy, isAccountEmail, toEmailKey } from '../../../contract/accounts.ts'
import { cleanEmail } from '../../../contract/employees.ts'
import { findPasswordProblem } from '../../../contract/predictable-text.ts'
import { t } from '../../language/translate.ts'
import { hasCode, type IdentityService, ServiceError, type TeamService } from '../ports.ts'
import { createServiceError } from '../service-error.ts'
import { readFirebaseCode, throwPasswordError, throwServiceError, throwSignInError } from './errors.ts'
import type { MemberState } from './session.ts'

/** What needs Firestore, whose SDK is loaded on demand. */
export interface Membership {
  team: TeamService
  /**
   * Makes the signed-in account a member, unless it was removed. Rejects with `not-allowed` if the rules exclude it, and does not wait
   * for long: then reading the records tells the same.
   */
  enter(user: User): Promise<MemberState>
  /** Logs a new password of the user. */
  logPassword(user: User): Promise<void>
  /** Makes the user of `signUpAuth` a member, with the secret of an invitation. */
  join(user: User, invitation: string): Promise<void>
  readPolicy(): Promise<IdentityPolicy>
}

const renamedMessage = () =>
  t('The email of your account has changed. Ask your administrator to change it in the team too.')

/** `signUpAuth` creates accounts: Firebase signs in each new one, which would replace the user of `auth`. */
export function createIdentityService(auth: Auth, signUpAuth: Auth, membership: Membership): IdentityService {
  return {
    team: membership.team,
    policy: membership.readPolicy,

    async createAccount(email, password, invitation) {
      if (!isAccountEmail(email)) throw createServiceError('invalid-email', { field: 'email' })
      requireValidPassword(password, 'password')
      const user = await createUser(signUpAuth, membership, toCredentials(email, password), invitation)
      await signOut(signUpAuth).catch(throwServiceError)
      return toUser(user)
    },

    async signIn(email, password) {
      const credentials = toCredentials(email, password)
      const { user } = await signInWithEmailAndPassword(auth, ...credentials).catch(throwSignInError)
      const entered = await membership.enter(user).catch(() => null)
      if (entered === 'removed') {
        await signOut(auth).catch(throwServiceError)
        throw createServiceError('account-removed')
      }
      if (entered === 'renamed') {
        await signOut(auth).catch(throwServiceError)
        throw new ServiceError('not-allowed', renamedMessage())
      }
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
      await reauthenticate(user, password)
      await updatePassword(user, newPassword.normalize('NFC')).catch(throwPasswordError('newPassword'))
      // What is reported can be missing.
      void membership.logPassword(user).catch(() => {})
    },

    async sendPasswordReset(email) {
      if (!isAccountEmail(email)) throw createServiceError('invalid-email', { field: 'email' })
      await sendPasswordResetEmail(auth, cleanEmail(email)).catch((error) => {
        // Without email enumeration protection Firebase tells whether there is an account; the page does not.
        if (readFirebaseCode(error) !== 'auth/user-not-found') throwServiceError(error)
      })
    },
  }
}

/** Rejects if it is not the password of the user. */
export async function reauthenticate(user: User, password: string): Promise<void> {
  const credential = EmailAuthProvider.credential(user.email ?? '', password.normalize('NFC'))
  await reauthenticateWithCredential(user, credential).catch(throwPasswordError('password'))
}

type Credentials = readonly [email: string, password: string]

const toCredentials = (email: string, password: string): Credentials => [
  cleanEmail(email),
  password.normalize('NFC'),
]

async function createUser(auth: Auth, membership: Membership, credentials: Credentials, invitation = '') {
  const policy = await membership.readPolicy().catch(() => null)
  if (policy?.signUp !== 'invited') return createOpen(auth, credentials)
  if (!invitation) throw createServiceError('sign-up-closed')
  return createInvited(auth, membership, credentials, invitation)
}

async function createOpen(auth: Auth, credentials: Credentials): Promise<User> {
  const { user } = await createUserWithEmailAndPassword(auth, ...credentials).catch(throwServiceError)
  return user
}

/** Creates an account and makes it a member. A retry continues with the account that is there. */
async function createInvited(
  auth: Auth,
  { team, join }: Membership,
  credentials: Credentials,
  invitation: string,
): Promise<User> {
  const [email] = credentials
  const { email: invited = email } = await team.checkInvitation(invitation)
  if (toEmailKey(invited) !== toEmailKey(email)) throw createServiceError('invalid-email', { field: 'email' })
  let isNew = true
  const user = await createOpen(auth, credentials).catch(async (error) => {
    if (!hasCode(error, 'account-exists')) throw error
    isNew = false
    const signedIn = await signInWithEmailAndPassword(auth, ...credentials).catch(() => null)
    if (!signedIn) throw error
    return signedIn.user
  })
  await join(user, invitation).catch(async (error) => {
    if (isNew && hasCode(error, 'invalid-link')) await deleteUser(user).catch(() => {})
    throw error
  })
  return user
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
