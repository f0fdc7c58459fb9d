import type { FastifyRequest } from 'fastify'

export type Encoding = 'json' | 'gzip'

export const encodingHeaders: Record<Encoding, Record<string, string>> = {
  json: { vary: 'accept-encoding' },
  gzip: { vary: 'accept-encoding', 'content-encoding': 'gzip' },
}

/** Returns `gzip` if the client accepts it. */
export function chooseEncoding({ headers }: FastifyRequest): Encoding {
  const accepted = String(headers['accept-encoding'] ?? '')
  return /(^|[\s,])gzip\s*(;\s*q=(?!0(\.0*)?\s*(,|$))|,|$)/i.test(accepted) ? 'gzip' : 'json'
}

/** Compares weakly, as `If-None-Match` requires (RFC 9110, 13.1.2). */
export function matchesEtag({ headers }: FastifyRequest, etag: string): boolean {
  const header = headers['if-none-match']
  if (header === undefined) return false
  if (header === etag) return true
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)
}
