import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** An answer of the API is data: nothing in it runs or loads, no other site's page may frame, embed or keep it. */
const dataHeaders = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** A file of the page has these in their place; how long it is kept the page says itself. */
export const pageHeaders = {
  ...dataHeaders,
  'content-security-policy': pagePolicy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
} as const

/** Two years, once a browser has come over HTTPS. */
const strictTransport = ['strict-transport-security', 'max-age=63072000; includeSubDomains'] as const

/** The headers of every answer; those with which a file of the page is sent go before them. */
export function installHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    setDataHeaders(request, reply)
    done()
  })
}

export function setDataHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(dataHeaders)
  if (request.protocol === 'https') reply.header(...strictTransport)
}

const always = Object.entries(dataHeaders).flat()

/** The headers of every answer as they stand on the line, for what is no request yet. */
export const dataHeaderLines = Object.entries(dataHeaders)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')

/**
 * Begins an answer that the framework does not send: a stream, or one that has no body to send. It has the headers of
 * every answer and `own` ones, names and values in turn.
 */
export function beginBare(request: FastifyRequest, reply: FastifyReply, status: number, own: string[]) {
  reply.hijack()
  const transport = request.protocol === 'https' ? strictTransport : []
  return reply.raw.writeHead(status, [...always, ...transport, ...own])
}
