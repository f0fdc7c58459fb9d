import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { PasskeyObstacle } from '../../../contract/passkeys.ts'

/** Where browsers use the passkeys of this register. */
export interface Site {
  rpId: string
  origin: string
}

/** Browsers treat it as secure without HTTPS. */
const isLocalhost = ({ hostname }: URL) => hostname === 'localhost' || hostname.endsWith('.localhost')

/** Returns why browsers allow no passkeys at this address; undefined if they do. */
export function findObstacle(url: URL): Exclude<PasskeyObstacle, 'no-public-url'> | undefined {
  if (isIP(url.hostname.replace(/^\[(.*)\]$/, '$1'))) return 'ip-address'
  return url.protocol === 'https:' || isLocalhost(url) ? undefined : 'plain-http'
}

/**
 * Passkeys belong to the name in PUBLIC_URL. Without it, clients could choose the name by their requests, so only `localhost` is
 * accepted, which is the user's own machine.
 */
export function findSite(
  publicUrl: URL | undefined,
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
): Site | PasskeyObstacle {
  const address = `${protocol}://${host}`
  const url = publicUrl ?? (URL.canParse(address) ? new URL(address) : undefined)
  const obstacle = url && findObstacle(url)
  if (obstacle) return obstacle
  if (!url || !(publicUrl || isLocalhost(url))) return 'no-public-url'
  return { rpId: url.hostname, origin: url.origin }
}
