import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Refusal } from '../app-error.ts'

/** Why a request goes no further, told from its head alone; nothing where it may. */
export type Rule = (request: FastifyRequest) => Refusal | undefined

/** Asks the rules of every request, in their order, before anyone else looks at it. One hook, for each costs time. */
export function installAdmission(app: FastifyInstance, rules: Rule[]): void {
  app.addHook('onRequest', (request, _reply, done) => {
    for (const refusalOf of rules) {
      const refusal = refusalOf(request)
      if (refusal) return done(refusal)
    }
    done()
  })
}
