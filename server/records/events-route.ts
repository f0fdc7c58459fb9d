import type { FastifyInstance } from 'fastify'
import { changeEvents, paths } from '../../contract/protocol.ts'
import { Refusal } from '../app-error.ts'
import { type EventStreams, eventText } from '../http/event-streams.ts'
import { beginBare } from '../http/security-headers.ts'
import type { Register, ToldChange } from './live-list.ts'

const digits = { type: 'string', pattern: '^[0-9]{1,15}$' } as const
const schema = {
  querystring: { type: 'object', additionalProperties: false, properties: { since: digits } },
  headers: { type: 'object', properties: { 'last-event-id': digits } },
} as const

// A proxy that waits for more would hold every change back: https://nginx.org/en/docs/http/ngx_http_proxy_module.html
const streamHeaders = ['content-type', 'text/event-stream; charset=utf-8', 'x-accel-buffering', 'no']

/** The live feed: first what the listener missed, then every change as it is committed. */
export function changeRoutes(app: FastifyInstance, register: Register, streams: EventStreams): void {
  register.follow((changes) => {
    streams.broadcast(Buffer.from(changes?.map(liveText).join('') ?? staleText(register)))
  })

  app.get<{ Querystring: { since?: string } }>(
    paths.changes,
    { schema, exposeHeadRoute: false },
    (request, reply) => {
      const owner = request.found.session.hash
      if (!streams.hasRoom(owner)) throw new Refusal('too-many-requests', { retryAfter: 15 })
      const since = Number(request.headers['last-event-id'] ?? request.query.since ?? register.revision)
      const stream = beginBare(request, reply, 200, streamHeaders)
      stream.write(`:\n\n${missedText(register, since)}`)
      streams.open(owner, stream)
    },
  )
}

function liveText({ revision, json }: ToldChange): string {
  return eventText(changeEvents.change, json, revision)
}

function staleText({ revision }: Register): string {
  return eventText(changeEvents.stale, '{}', revision)
}

/** Only the last change carries an id: a reader that was cut off before it asks for all of them again. */
function missedText(register: Register, since: number): string {
  const missed = register.changesSince(since)
  if (!missed) return staleText(register)
  const last = missed.length - 1
  return missed
    .map((json, i) => eventText(changeEvents.change, json, i === last ? register.revision : undefined))
    .join('')
}
