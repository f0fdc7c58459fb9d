import type { onRequestHookHandler } from 'fastify'
import { AppError } from '../app-error.ts'
import type { AuthenticatedSession } from '../storage/storage.ts'
import { readSessionToken } from './cookie.ts'
import type { Sessions } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The live session of the request, in routes that require one. */
    session: AuthenticatedSession
  }
}

/** Sets `request.session`, or rejects the request with `not-signed-in` before its body is read. */
export function createRequireSession(sessions: Sessions): onRequestHookHandler {
  return (request, _reply, done) => {
    const token = readSessionToken(request)
    const acceptSession = (session: AuthenticatedSession | undefined) => {
      if (!session) return done(new AppError('not-signed-in'))
      request.session = session
      done()
    }
    // Most sessions are cached, and awaiting a promise would cost more than the lookup.
    const cached = sessions.findCached(token)
    if (cached) acceptSession(cached)
    else sessions.find(token).then(acceptSession, done)
  }
}
