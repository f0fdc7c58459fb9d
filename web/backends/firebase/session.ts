import { type Auth, onAuthStateChanged, reload, signOut } from 'firebase/auth'
import { failure, serviceError } from './errors.ts'

/** Who is signed in on this browser, as the documents need to know it. */
export interface Session {
  /** Rejects with `not-signed-in`. */
  uid(): Promise<string>
  /** Calls back when the session has ended: here, in another tab, or on the service. */
  whenEnded(ended: () => void): () => void
}

/**
 * Firebase tells nobody that a session was revoked: an ID token stays good for up to an hour. So the service is asked,
 * every `checkEvery` milliseconds, while somebody wants to know.
 */
export function createSession(auth: Auth, checkEvery: number): Session {
  async function check() {
    if (!auth.currentUser) return
    try {
      await reload(auth.currentUser)
    } catch (error) {
      const { code } = serviceError(error)
      if (code === 'not-signed-in' || code === 'invalid-credentials') await signOut(auth)
    }
  }

  return {
    async uid() {
      await auth.authStateReady()
      if (!auth.currentUser) throw failure('not-signed-in')
      return auth.currentUser.uid
    },

    whenEnded(ended) {
      const timer = setInterval(check, checkEvery)
      // A tab out of sight has slow timers; its user finds out on coming back.
      globalThis.document?.addEventListener('visibilitychange', check)
      const stopListening = onAuthStateChanged(auth, (user) => {
        if (!user) ended()
      })
      return () => {
        clearInterval(timer)
        globalThis.document?.removeEventListener('visibilitychange', check)
        stopListening()
      }
    },
  }
}
