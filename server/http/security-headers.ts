import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isHttps } from './origin.ts'

/** API responses are data: they may not be executed, framed or embedded by other sites, or cached. */
const apiHeaders = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const

function createPagePolicy(page: string): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashElements(page, 'script')].join(' '),
    ["style-src 'self'", ...hashElements(page, 'style')].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The policies of the page: web/lib/workers.ts.
    'trusted-types service-worker import-worker',
  ].join('; ')
}

/** The sources that allow the scripts or styles which stand in the page itself. */
const hashElements = (page: string, name: 'script' | 'style') =>
  Array.from(
    page.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs')),
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )

/**
 * Headers for files of the page, which replace those of the API. The caller sets `cache-control` per file. `page` is the HTML.
 */
export function createPageHeaders(page: string) {
  return {
    ...apiHeaders,
    'content-security-policy': createPagePolicy(page),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'x-frame-options': 'DENY',
  }
}

/** Two years. Sent over HTTPS only. Subdomains may belong to others, who have no HTTPS. */
const hstsHeader = ['strict-transport-security', 'max-age=63072000'] as const

/** Sets the API's security headers. Files of the page override them. */
export function setApiHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(apiHeaders)
  if (isHttps(request)) reply.header(...hstsHeader)
}

const rawApiHeaders = Object.entries(apiHeaders).flat()

/** The API's headers as raw HTTP, for responses to input that is not a valid request. */
export const apiHeaderLines = Object.entries(apiHeaders)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')

/**
 * Writes the status and headers of a response that bypasses Fastify: a stream, or a response without a body. Adds the
 * security headers to `extraHeaders`, which alternate names and values.
 */
export function writeRawHead(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  extraHeaders: string[],
) {
  reply.hijack()
  const httpsHeaders = isHttps(request) ? hstsHeader : []
  return reply.raw.writeHead(status, [...rawApiHeaders, ...httpsHeaders, ...extraHeaders])
}
