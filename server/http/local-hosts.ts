import type { FastifyInstance } from 'fastify'
import { Refusal } from './refusal.ts'

const local = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/**
 * Refuses a request for any name but this machine's own. A site can have its name resolve to 127.0.0.1 and would then
 * be same-origin with a server that answers to every name (DNS rebinding).
 */
export function installLocalHostsOnly(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (local.test(request.headers.host ?? '')) done()
    else
      done(
        new Refusal('cross-site', {
          field: 'host',
          message: 'This server answers to its own address alone.',
        }),
      )
  })
}
