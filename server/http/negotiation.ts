import type { FastifyRequest } from 'fastify'

/** A content coding; `identity` leaves the body as it is. */
export type Encoding = 'br' | 'gzip' | 'identity'

export const encodingHeaders: Record<Encoding, Record<string, string>> = {
  identity: { vary: 'accept-encoding' },
  gzip: { vary: 'accept-encoding', 'content-encoding': 'gzip' },
  br: { vary: 'accept-encoding', 'content-encoding': 'br' },
}

/**
 * Chooses the offered encoding that the client prefers; of equals the first. `*` stands for those that the client does not name.
 * `identity` if it accepts none of them, even where it refuses that too: a body that it can read is better than an error.
 */
export function chooseEncoding<E extends Encoding>(
  { headers }: FastifyRequest,
  offered: readonly E[],
): E | 'identity' {
  const header = headers['accept-encoding']
  if (header === undefined) return 'identity'
  const weights = readWeights(String(header))
  const weightOf = (name: Encoding) =>
    weights.get(name) ?? (name === 'gzip' ? weights.get('x-gzip') : undefined) ?? weights.get('*') ?? 0
  let [chosen, best]: [E | 'identity', number] = ['identity', 0]
  for (const name of offered) {
    const weight = weightOf(name)
    if (weight > best) [chosen, best] = [name, weight]
  }
  return (weights.get('identity') ?? 0) > best ? 'identity' : chosen
}

/** Malformed weights count as 1. */
function readWeights(header: string): Map<string, number> {
  return new Map(
    header.split(',').map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      const value = Number(weight?.slice(2) ?? 1)
      return [name, value >= 0 && value <= 1 ? value : 1]
    }),
  )
}

/**
 * Compares weakly, as `If-None-Match` requires (RFC 9110, 13.1.2), and as if no proxy had compressed: Apache and others then append
 * the coding (`"…-gzip"`), but pass the condition on as the browser sends it.
 */
export function matchesEtag({ headers }: FastifyRequest, etag: string): boolean {
  const header = headers['if-none-match']
  if (header === undefined) return false
  if (header === etag) return true
  return header.split(',').some((item) => {
    const one = item.trim().replace(/^W\//, '')
    return one === '*' || one === etag || one.replace(/[-;](?:gzip|br|zstd)"$/, '"') === etag
  })
}
