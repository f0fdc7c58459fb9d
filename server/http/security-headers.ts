import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** An answer of the API is data: nothing in it runs or loads, no other site's page may frame, embed or keep it. */
const apiHeaders = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const

const pageContentSecurityPolicy = [
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
  ...apiHeaders,
  'content-security-policy': pageContentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
} as const

/** Two years, once a browser has come over HTTPS. */
const hstsHeader = ['strict-transport-security', 'max-age=63072000; includeSubDomains'] as const

/** The headers of every answer; those with which a file of the page is sent go before them. */
export function installSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    setApiHeaders(request, reply)
    done()
  })
}

export function setApiHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(apiHeaders)
  if (request.protocol === 'https') reply.header(...hstsHeader)
}

const rawApiHeaders = Object.entries(apiHeaders).flat()

/** The headers of every answer as they stand on the line, for what is no request yet. */
export const apiHeaderLines = Object.entries(apiHeaders)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')

/**
 * Begins an answer that the framework does not send: a stream, or one that has no body to send. It has the headers of
 * every answer and `own` ones, names and values in turn.
 */
export function writeRawHead(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  extraHeaders: string[],
) {
  reply.hijack()
  const transport = request.protocol === 'https' ? hstsHeader : []
  return reply.raw.writeHead(status, [...rawApiHeaders, ...transport, ...extraHeaders])
}
