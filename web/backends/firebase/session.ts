import { type Auth, onAuthStateChanged, reload, signOut } from 'firebase/auth'
import { createServiceError, toServiceError } from './errors.ts'

/** Who is signed in on this browser, as the documents need to know it. */
export interface Session {
  /** Rejects with `not-signed-in`. */
  requireUid(): Promise<string>
  /** Calls back when the session has ended: here, in another tab, or on the service. */
  onEnd(listener: () => void): () => void
}

/**
 * Firebase tells nobody that a session was revoked: an ID token stays good for up to an hour. So the service is asked,
 * every `checkEvery` milliseconds, while somebody wants to know.
 */
export function createSession(auth: Auth, checkIntervalMs: number): Session {
  async function checkSession() {
    if (!auth.currentUser) return
    try {
      await reload(auth.currentUser)
    } catch (error) {
      const { code } = toServiceError(error)
      if (code === 'not-signed-in' || code === 'invalid-credentials') await signOut(auth)
    }
  }

  return {
    async requireUid() {
      await auth.authStateReady()
      if (!auth.currentUser) throw createServiceError('not-signed-in')
      return auth.currentUser.uid
    },

    onEnd(ended) {
      const timer = setInterval(checkSession, checkIntervalMs)
      // A tab out of sight has slow timers; its user finds out on coming back.
      globalThis.document?.addEventListener('visibilitychange', checkSession)
      const stopListening = onAuthStateChanged(auth, (user) => {
        if (!user) ended()
      })
      return () => {
        clearInterval(timer)
        globalThis.document?.removeEventListener('visibilitychange', checkSession)
        stopListening()
      }
    },
  }
}
