import type { onRequestHookHandler } from 'fastify'
import { AppError } from '../app-error.ts'
import type { AuthenticatedSession } from '../storage/storage.ts'
import { readSessionToken } from './cookie.ts'
import type { Sessions } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The live session behind a call that needs one. */
    session: AuthenticatedSession
  }
}

/** Lets in who has a live session, before anything else of the request is read; refuses with `not-signed-in`. */
export function createRequireSession(sessions: Sessions): onRequestHookHandler {
  return (request, _reply, done) => {
    const token = readSessionToken(request)
    const acceptSession = (session: AuthenticatedSession | undefined) => {
      if (!session) return done(new AppError('not-signed-in'))
      request.session = session
      done()
    }
    // Most have just been here, and waiting for a promise would cost more than the check.
    const cached = sessions.findCached(token)
    if (cached) acceptSession(cached)
    else sessions.find(token).then(acceptSession, done)
  }
}
