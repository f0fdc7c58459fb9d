import { type Auth, onAuthStateChanged, reload, signOut, type User } from 'firebase/auth'
import { listen, stopAll } from '../../lib/dom.ts'
import { hasCode } from '../ports.ts'
import { createServiceError } from '../service-error.ts'
import { throwServiceError, toServiceError } from './errors.ts'

/** `removed`: by a colleague. `renamed`: the account has another email than the member, so that the rules refuse it. */
export type MemberState = 'present' | 'removed' | 'renamed'

/** The token may be older than a change of the email. */
async function refresh(user: User): Promise<void> {
  await reload(user)
    .then(() => user.getIdToken(true))
    .catch(throwServiceError)
}

export type Session = ReturnType<typeof createSession>

/**
 * The signed-in user's session, as the document store needs it. Firebase does not notify clients of a revoked session, and an
 * ID token stays valid for up to an hour. So the session is checked every `checkIntervalMs` milliseconds while there is a
 * listener.
 */
export function createSession(auth: Auth, checkIntervalMs: number) {
  async function checkSession() {
    if (!auth.currentUser) return
    try {
      await reload(auth.currentUser)
    } catch (error) {
      const { code } = toServiceError(error)
      if (code === 'not-signed-in' || code === 'invalid-credentials') await signOut(auth)
    }
  }

  const entering = new WeakMap<User, Promise<MemberState>>()
  /** The requests that got no response. */
  const lost = new WeakMap<User, (user: User) => Promise<MemberState>>()

  /** Makes the user a member. Calls at the same time share one request, because the rules would refuse the second. */
  function enter(user: User, request: (user: User) => Promise<MemberState>): Promise<MemberState> {
    lost.delete(user)
    const entered = entering.get(user) ?? request(user).finally(() => entering.delete(user))
    entering.set(user, entered)
    entered.catch((error) => {
      if (!hasCode(error, 'not-allowed')) lost.set(user, request)
    })
    return entered
  }

  /**
   * Waits until a first sign-in has ended, and repeats it once if it was lost, also while this call was waiting. Rejects with
   * `offline` if that is lost too: the rules would refuse the call, which can be repeated.
   */
  async function waitUntilEntered(user: User): Promise<void> {
    await entering.get(user)?.catch(() => {})
    const request = lost.get(user)
    // Another call that has waited may repeat it already.
    const repeated = request ? enter(user, request) : entering.get(user)
    await repeated?.catch((error) => {
      if (hasCode(error, 'offline')) throw error
    })
  }

  return {
    enter,

    /** Resolves to the id of the signed-in user, once `enter` has ended. Rejects with `not-signed-in`, or `offline`. */
    async requireUid(): Promise<string> {
      await auth.authStateReady()
      if (auth.currentUser) await waitUntilEntered(auth.currentUser)
      if (!auth.currentUser) throw createServiceError('not-signed-in')
      return auth.currentUser.uid
    },

    email: () => auth.currentUser?.email ?? null,

    /** Makes the user a member. Rejects with `not-allowed` if the rules exclude them; ends the session if a colleague removed them. */
    async requireMember(request: (user: User) => Promise<MemberState>): Promise<void> {
      const user = auth.currentUser
      let state = user && (await enter(user, request))
      if (user && state === 'renamed') {
        await refresh(user)
        state = await enter(user, request)
      }
      if (state === 'present') return
      if (state === 'renamed') throw createServiceError('not-allowed')
      await signOut(auth)
      throw createServiceError('not-signed-in')
    },

    /** Ends the session when `watch` finds that the account was removed. */
    watch: (watch: (user: User, onRemoved: () => void) => () => void): (() => void) =>
      auth.currentUser ? watch(auth.currentUser, () => void signOut(auth).catch(() => {})) : () => {},

    /** Calls the listener when the session has ended: in this tab, in another tab or on the server. */
    onEnd(listener: () => void): () => void {
      const timer = setInterval(checkSession, checkIntervalMs)
      // Browsers throttle the timers of hidden tabs, so check again when the tab becomes visible.
      return stopAll(
        () => clearInterval(timer),
        listen(globalThis.document, 'visibilitychange', checkSession),
        onAuthStateChanged(auth, (user) => {
          if (!user) listener()
        }),
      )
    },
  }
}
