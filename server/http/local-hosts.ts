import { AppError } from '../app-error.ts'
import type { RequestGuard } from './request-guards.ts'

const localHostPattern = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i
const proxyHeaderPattern = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/

/**
 * Refuses a request for any name but this machine's own. A site can have its name resolve to 127.0.0.1 and would then
 * be same-origin with a server that answers to every name (DNS rebinding). And refuses what a proxy hands on from
 * elsewhere: the server was not told of it, so sign-up may be open.
 */
export const requireLocalHost: RequestGuard = ({ headers }) => {
  if (!localHostPattern.test(headers.host ?? ''))
    return createCrossSiteError('host', 'This server answers to its own address alone.')
  const field = Object.keys(headers).find((name) => proxyHeaderPattern.test(name))
  if (field === undefined) return
  return createCrossSiteError(
    field,
    'This request came through a proxy that the server does not know. Whoever runs it: set TRUST_PROXY to the address of the proxy and SIGN_UP to who may sign up, then start it again.',
  )
}

function createCrossSiteError(field: string, message: string): AppError {
  return new AppError('cross-site', { field, message })
}
