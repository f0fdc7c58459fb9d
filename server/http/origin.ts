import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** The address of the page, if it is set. */
    publicUrl: URL | undefined
    /** Whether headers of a proxy are trusted. */
    isProxied: boolean
  }
}

/**
 * Whether the browser reaches the server by HTTPS, as far as cookies are concerned. Of several proxies, each may report its own
 * connection (`X-Forwarded-Proto: https, http`): the first is the browser's, and for the name in PUBLIC_URL its scheme decides. A
 * client that lies about it only loses its own cookie.
 */
export function isHttps(request: FastifyRequest): boolean {
  if (request.protocol === 'https') return true
  const { publicUrl, isProxied } = request.server
  if (!isProxied) return false
  const [first] = String(request.headers['x-forwarded-proto'] ?? '').split(',')
  if (first?.trim().toLowerCase() === 'https') return true
  return publicUrl?.protocol === 'https:' && toHostname(request.host) === publicUrl.hostname
}

/** The name or address in a Host header: in lower case, without its port, brackets and final dot. */
export function toHostname(host: string): string {
  const [, bracketed, name = ''] = /^(?:\[(.*)\]|([^:]*))(?::\d+)?$/.exec(host.toLowerCase()) ?? []
  return bracketed ?? name.replace(/\.$/, '')
}

/**
 * Whether `origin` (an Origin header) is that of a page on `host` (a Host header), however both are spelled: with or without the
 * default port of the origin's scheme, in any case. The scheme may differ, because a proxy that terminates TLS need not announce
 * it. `ignorePort`: proxies may write their own port.
 */
export function isOriginOf(origin: string, host: string, { ignorePort = false } = {}): boolean {
  if (origin.endsWith(`://${host}`)) return true
  const ofPage = URL.parse(origin)
  const asked = ofPage && URL.parse(`${ofPage.protocol}//${host}`)
  if (!asked) return false
  return toHostname(asked.host) === toHostname(ofPage.host) && (ignorePort || asked.port === ofPage.port)
}
