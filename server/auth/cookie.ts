import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** `__Host-` requires Secure, and Safari rejects Secure cookies on http://localhost. */
const cookieNameFor = ({ protocol }: FastifyRequest) => (protocol === 'https' ? '__Host-session' : 'session')

export function readSessionToken(request: FastifyRequest): string | undefined {
  const { cookie } = request.headers
  return cookie === undefined ? undefined : parseCookie(cookie)[cookieNameFor(request)]
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  maxAgeSeconds: number,
): void {
  reply.header(
    'set-cookie',
    stringifySetCookie({
      name: cookieNameFor(request),
      value: token,
      maxAge: maxAgeSeconds,
      httpOnly: true,
      sameSite: 'strict',
      path: '/',
      secure: request.protocol === 'https',
    }),
  )
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  setSessionCookie(request, reply, '', 0)
}
