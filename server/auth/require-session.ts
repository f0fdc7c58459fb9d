import type { onRequestHookHandler } from 'fastify'
import { Refusal } from '../app-error.ts'
import type { Found } from '../storage/storage.ts'
import { tokenOf } from './cookie.ts'
import type { Sessions } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The live session behind a call that needs one. */
    found: Found
  }
}

/** Lets in who has a live session, before anything else of the request is read; refuses with `not-signed-in`. */
export function signedInWith(sessions: Sessions): onRequestHookHandler {
  return (request, _reply, done) => {
    const token = tokenOf(request)
    const enter = (found: Found | undefined) => {
      if (!found) return done(new Refusal('not-signed-in'))
      request.found = found
      done()
    }
    // Most have just been here, and waiting for a promise would cost more than the check.
    const known = sessions.known(token)
    if (known) enter(known)
    else sessions.find(token).then(enter, done)
  }
}
