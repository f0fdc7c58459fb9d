import { type Auth, onAuthStateChanged, reload, signOut, type User } from 'firebase/auth'
import { listen, stopAll } from '../../lib/dom.ts'
import { createServiceError, toServiceError } from './errors.ts'

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

  /** Settles when the account is a member: the rules refuse what it writes before. */
  let entering: Promise<unknown> = Promise.resolve()

  return {
    /** Resolves to the signed-in user's id. Rejects with `not-signed-in`. */
    async requireUid(): Promise<string> {
      await auth.authStateReady()
      await entering
      if (!auth.currentUser) throw createServiceError('not-signed-in')
      return auth.currentUser.uid
    },

    email: () => auth.currentUser?.email ?? null,

    /** Rejects with `not-allowed` if the rules exclude the account; ends the session if a colleague has removed it. */
    async enter(enter: (user: User) => Promise<'present' | 'removed'>): Promise<void> {
      const requested = auth.currentUser && enter(auth.currentUser)
      entering = Promise.resolve(requested).catch(() => {})
      const entered = await requested
      if (entered === 'present') return
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
