import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppError } from '../app-error.ts'

/** Why a request goes no further, told from its head alone; nothing where it may. */
export type RequestGuard = (request: FastifyRequest) => AppError | undefined

/** Asks the rules of every request, in their order, before anyone else looks at it. One hook, for each costs time. */
export function installRequestGuards(app: FastifyInstance, guards: RequestGuard[]): void {
  app.addHook('onRequest', (request, _reply, done) => {
    for (const guard of guards) {
      const error = guard(request)
      if (error) return done(error)
    }
    done()
  })
}
