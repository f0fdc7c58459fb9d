import type { FastifyInstance } from 'fastify'
import { Refusal } from '../app-error.ts'
import type { Rule } from './request-guards.ts'

/** What Node understands (`_http_server.js`), and has answered with 100 by itself. */
const canBeMet = /(?:^|\W)100-continue(?:$|\W)/i

/**
 * Refuses what Node would otherwise refuse in words of its own, without the headers of every answer: HTTP/1.1 without
 * Host (which needs `requireHostHeader: false`), and an expectation that cannot be met.
 */
export const preconditionsMet: Rule = ({ headers, raw }) => {
  if (raw.httpVersion !== '1.1') return
  if (headers.host === undefined) return refusal('host', 'The request does not say for whom it is.')
  if (headers.expect === undefined || canBeMet.test(headers.expect)) return
  return refusal('expect', 'Nothing but 100-continue can be expected of this server.')
}

/** Hands on a request with an expectation that Node does not understand, so that the rule above is asked. */
export function hearExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

function refusal(field: string, message: string): Refusal {
  return new Refusal('invalid-request', { field, message })
}
