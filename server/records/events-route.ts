import type { FastifyInstance } from 'fastify'
import { changeEventSchema, changeEvents, paths } from '../../contract/protocol.ts'
import { AppError } from '../app-error.ts'
import { type EventStreams, formatEvent } from '../http/event-streams.ts'
import { writeRawHead } from '../http/security-headers.ts'
import type { EmployeeStorage } from '../storage/storage.ts'
import { type ChangeMessage, createCatchUp, type LiveList } from './live-list.ts'

const digitsSchema = { type: 'string', pattern: '^[0-9]{1,15}$' } as const
const schema = {
  summary: 'Server-sent events; the data of `change` has this schema',
  response: { 200: { content: { 'text/event-stream': { schema: changeEventSchema } } } },
  querystring: { type: 'object', additionalProperties: false, properties: { since: digitsSchema } },
  headers: { type: 'object', properties: { 'last-event-id': digitsSchema } },
} as const

// Disables buffering in nginx, which would delay changes: https://nginx.org/en/docs/http/ngx_http_proxy_module.html
const streamHeaders = ['content-type', 'text/event-stream; charset=utf-8', 'x-accel-buffering', 'no']

export interface EventsRouteOptions {
  employees: Pick<EmployeeStorage, 'catchUp'>
  liveList: LiveList
  streams: EventStreams
}

/** The event stream: first the changes since `since` or `Last-Event-ID`, then every change when it is committed. */
export function eventsRoute(
  app: FastifyInstance,
  { employees, liveList, streams }: EventsRouteOptions,
): void {
  const broadcast = createDeferredBroadcast(streams)
  liveList.subscribe((changes) => {
    broadcast.add(changes?.map(formatChange).join('') ?? formatStale(liveList))
  })

  app.get<{ Querystring: { since?: string } }>(
    paths.changes,
    // A client that comes from another server may know a later revision.
    { schema, exposeHeadRoute: false, preHandler: createCatchUp(employees) },
    (request, reply) => {
      const owner = request.session.session.hash
      if (!streams.canOpen(owner)) throw new AppError('too-many-requests', { retryAfterSeconds: 15 })
      const since = Number(request.headers['last-event-id'] ?? request.query.since ?? liveList.revision)
      const stream = writeRawHead(request, reply, 200, streamHeaders)
      // What is waiting is among the missed changes.
      broadcast.flush()
      stream.write(`:\n\n${formatMissedChanges(liveList, since)}`)
      streams.open(owner, stream)
    },
  )
}

/** Sends events after the responses of the writes that caused them, which would wait for one system call per stream. */
function createDeferredBroadcast(streams: EventStreams) {
  let pending = ''

  function flush() {
    if (pending !== '') streams.broadcast(Buffer.from(pending))
    pending = ''
  }

  return {
    add(events: string) {
      if (pending === '' && events !== '') setImmediate(flush)
      pending += events
    },
    flush,
  }
}

function formatChange({ revision, json }: ChangeMessage): string {
  return formatEvent(changeEvents.change, json, revision)
}

function formatStale({ revision }: LiveList): string {
  return formatEvent(changeEvents.stale, '{}', revision)
}

/** Only the last change has an id, so a client that is disconnected before it requests all of them again. */
function formatMissedChanges(liveList: LiveList, since: number): string {
  const missed = liveList.changesSince(since)
  if (!missed) return formatStale(liveList)
  const last = missed.length - 1
  return missed
    .map((json, i) => formatEvent(changeEvents.change, json, i === last ? liveList.revision : undefined))
    .join('')
}
