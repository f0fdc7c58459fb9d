import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** `__Host-` needs Secure, and Safari drops Secure cookies of http://localhost. */
const nameFor = ({ protocol }: FastifyRequest) => (protocol === 'https' ? '__Host-session' : 'session')

export function tokenOf(request: FastifyRequest): string | undefined {
  const { cookie } = request.headers
  return cookie === undefined ? undefined : parseCookie(cookie)[nameFor(request)]
}

/** `maxAge` in seconds. */
export function setToken(request: FastifyRequest, reply: FastifyReply, token: string, maxAge: number): void {
  reply.header(
    'set-cookie',
    stringifySetCookie({
      name: nameFor(request),
      value: token,
      maxAge,
      httpOnly: true,
      sameSite: 'strict',
      path: '/',
      secure: request.protocol === 'https',
    }),
  )
}

export function clearToken(request: FastifyRequest, reply: FastifyReply): void {
  setToken(request, reply, '', 0)
}
