import type { FastifyRequest } from 'fastify'
import { AppError } from '../app-error.ts'
import type { RequestGuard } from './request-guards.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses what another site makes a browser send. Browsers say where a request comes from (Sec-Fetch-Site, or Origin
 * in older ones) and a page cannot change what they say; plain programs say neither and are let in.
 */
export const requireSameSite: RequestGuard = (request) =>
  safeMethods.has(request.method) || isSameSite(request) ? undefined : new AppError('cross-site')

function isSameSite({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return headers.origin === undefined || hostOf(headers.origin) === host
}

/** The scheme is left out: a proxy that ends HTTPS need not tell us that it did. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
