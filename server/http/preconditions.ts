import type { FastifyInstance } from 'fastify'
import { AppError } from '../app-error.ts'
import type { RequestGuard } from './request-guards.ts'

/** What Node understands (`_http_server.js`), and has answered with 100 by itself. */
const supportedExpectation = /(?:^|\W)100-continue(?:$|\W)/i

/**
 * Refuses what Node would otherwise refuse in words of its own, without the headers of every answer: HTTP/1.1 without
 * Host (which needs `requireHostHeader: false`), and an expectation that cannot be met.
 */
export const requirePreconditions: RequestGuard = ({ headers, raw }) => {
  if (raw.httpVersion !== '1.1') return
  if (headers.host === undefined)
    return createPreconditionError('host', 'The request does not say for whom it is.')
  if (headers.expect === undefined || supportedExpectation.test(headers.expect)) return
  return createPreconditionError('expect', 'Nothing but 100-continue can be expected of this server.')
}

/** Hands on a request with an expectation that Node does not understand, so that the rule above is asked. */
export function forwardExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

function createPreconditionError(field: string, message: string): AppError {
  return new AppError('invalid-request', { field, message })
}
