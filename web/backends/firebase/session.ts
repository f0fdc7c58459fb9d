import { type Auth, onAuthStateChanged, reload, signOut, type User } from 'firebase/auth'
import { listen, stopAll } from '../../lib/dom.ts'
import { createServiceError, toServiceError } from './errors.ts'

/** What `enter` of members.ts resolves to. */
export type Entry = 'present' | 'removed'

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

  const entering = new WeakMap<User, Promise<Entry>>()

  /** Makes the user a member. Calls at the same time share one request, because the rules would refuse the second. */
  function enter(user: User, request: (user: User) => Promise<Entry>): Promise<Entry> {
    const entry = entering.get(user) ?? request(user).finally(() => entering.delete(user))
    entering.set(user, entry)
    return entry
  }

  return {
    enter,

    /** Waits for a user who is being made a member. Resolves to their id; rejects with `not-signed-in`. */
    async requireUid(): Promise<string> {
      await auth.authStateReady()
      if (auth.currentUser) await entering.get(auth.currentUser)?.catch(() => {})
      if (!auth.currentUser) throw createServiceError('not-signed-in')
      return auth.currentUser.uid
    },

    email: () => auth.currentUser?.email ?? null,

    /** Rejects with `not-allowed` if the rules exclude the account; ends the session if a colleague has removed it. */
    async requireEntry(request: (user: User) => Promise<Entry>): Promise<void> {
      if (auth.currentUser && (await enter(auth.currentUser, request)) === 'present') return
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
