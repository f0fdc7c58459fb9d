import type { FastifyInstance } from 'fastify'
import { Refusal } from '../refusal.ts'

/** What Node understands (`_http_server.js`), and has answered with 100 by itself. */
const canBeMet = /(?:^|\W)100-continue(?:$|\W)/i

/**
 * Refuses what Node would otherwise refuse in words of its own, without the headers of every answer: HTTP/1.1 without
 * Host (which needs `requireHostHeader: false`), and an expectation that cannot be met.
 */
export function installPreconditions(app: FastifyInstance): void {
  const { server } = app
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  app.addHook('onRequest', ({ headers, raw }, _reply, done) => {
    if (raw.httpVersion !== '1.1') done()
    else if (headers.host === undefined) done(refusal('host', 'The request does not say for whom it is.'))
    else if (headers.expect === undefined || canBeMet.test(headers.expect)) done()
    else done(refusal('expect', 'Nothing but 100-continue can be expected of this server.'))
  })
}

function refusal(field: string, message: string): Refusal {
  return new Refusal('invalid-request', { field, message })
}
