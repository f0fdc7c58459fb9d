import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../app-error.ts'
import { addressNotFoundError } from './error-handler.ts'
import { isOriginOf, toHostname } from './origin.ts'
import { setApiHeaders } from './security-headers.ts'

/** Returns the error that rejects a request, judging by its headers only; undefined to accept it. */
export type RequestGuard = (request: FastifyRequest) => AppError | undefined

/** Sets the headers of every response, and runs the guards in order. One hook for all, because each hook costs time. */
export function installRequestGuards(app: FastifyInstance, guards: RequestGuard[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    setApiHeaders(request, reply)
    for (const guard of guards) {
      const error = guard(request)
      if (error) return done(error)
    }
    done()
  })
}

export const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Rejects unsafe requests that another site made a browser send (CSRF). Browsers set Sec-Fetch-Site, or Origin in older
 * versions, and pages cannot change them. Clients other than browsers send neither and are accepted.
 */
export function createSameSiteGuard(publicUrl: URL | undefined): RequestGuard {
  return (request) => {
    if (safeMethods.has(request.method) || isSameSite(request, publicUrl)) return
    const { origin, 'sec-fetch-site': site } = request.headers
    return new AppError('cross-site', {
      log: { origin, site, host: request.host, publicUrl: publicUrl?.origin },
    })
  }
}

function isSameSite({ headers, host }: FastifyRequest, publicUrl: URL | undefined): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (origin === undefined || origin === publicUrl?.origin) return true
  return isOriginOf(origin, host, { ignorePort: site === 'same-origin' })
}

/** Rejects requests without a route before their bodies are read. Files of the page have no route. */
export const requireKnownAddress: RequestGuard = ({ is404, method }) =>
  is404 && method !== 'GET' && method !== 'HEAD' ? addressNotFoundError : undefined

/** Node uses the first of several Host headers; a proxy may use another. */
export const requireOneHost: RequestGuard = ({ raw: { rawHeaders } }) => {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1 ? new AppError('invalid-request', { field: 'host' }) : undefined
}

const localHostPattern = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i
const proxyHeaderPattern = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/

/**
 * Rejects requests whose Host is not a local name: a site can make its name resolve to 127.0.0.1 and would be same-origin
 * with a server that accepts any Host (DNS rebinding). Also rejects requests forwarded by a proxy: the server was not
 * configured for one, so sign-up may be open.
 */
export const requireLocalHost: RequestGuard = ({ headers }) => {
  if (!localHostPattern.test(headers.host ?? ''))
    return createCrossSiteError(
      'host',
      'This server accepts requests for its local address only.',
      headers.host,
    )
  const field = Object.keys(headers).find((name) => proxyHeaderPattern.test(name))
  if (field === undefined) return
  return createCrossSiteError(
    field,
    'This request came through a proxy that is not configured. Set TRUST_PROXY to the address of the proxy and SIGN_UP to who may sign up, then restart the server.',
  )
}

/** Names that nobody can register, so that no other site can make them resolve to this server. */
const unregistrableNamePattern = /^[^.]+$|\.(local|localhost|internal|home\.arpa|lan|home|corp)$/

/**
 * For servers that others can reach: rejects requests whose Host is a name that another site could have, see
 * `requireLocalHost`. Accepted are addresses, names of local networks, and `ownName`, if given; without it, any over HTTPS,
 * where a browser has verified the name. Probes send neither cookies nor changes and may use any name.
 */
export function createHostGuard(ownName: string | undefined): RequestGuard {
  let lastAccepted: string | undefined
  return (request) => {
    const { host } = request
    if (host === lastAccepted || (request.protocol === 'https' && ownName === undefined)) return
    if (isOwnHost(host, ownName)) {
      lastAccepted = host
      return
    }
    if (probePaths.includes(request.routeOptions.url ?? '')) return
    const name = toHostname(host)
    const message =
      ownName === undefined
        ? `This server does not know that it is called ${name}. If it is, set PUBLIC_URL to the address of the page and restart it.`
        : `This server is called ${ownName}, as PUBLIC_URL says, but the request is for ${name}. If a proxy has written that name, let it pass on the Host header.`
    return createCrossSiteError('host', message, host, ownName)
  }
}

const probePaths = ['/healthz', '/readyz']

/** HTTP/1.0 allows requests without a Host; browsers always send one. */
function isOwnHost(host: string, ownName: string | undefined): boolean {
  if (host === '') return true
  const hostname = toHostname(host)
  return hostname === ownName || isIP(hostname) !== 0 || unregistrableNamePattern.test(hostname)
}

function createCrossSiteError(field: string, message: string, host?: string, ownName?: string): AppError {
  return new AppError('cross-site', { field, message, log: { field, host, ownName } })
}
