import type { ServerResponse } from 'node:http'
import { objectOf } from '../../contract/json-schema.ts'
import { changeEventSchema, changeEvents, paths } from '../../contract/protocol.ts'
import { AppError } from '../app-error.ts'
import { formatEvent } from '../http/event-streams.ts'
import { writeRawHead } from '../http/security-headers.ts'
import type { Api } from '../http/validation.ts'
import { type ChangeMessage, createCatchUp, type LiveList } from './live-list.ts'
import type { RecordRouteOptions } from './routes.ts'

const digitsSchema = { type: 'string', pattern: '^[0-9]{1,15}$' } as const
const schema = {
  summary: 'Server-sent events; the data of `change` has this schema',
  response: { 200: { content: { 'text/event-stream': { schema: changeEventSchema } } } },
  querystring: objectOf({}, { since: digitsSchema, follow: { enum: ['no'] } }),
  headers: { type: 'object', properties: { 'last-event-id': digitsSchema } },
} as const

const contentType = 'text/event-stream; charset=utf-8'
// Disables buffering in nginx, which would delay changes: https://nginx.org/en/docs/http/ngx_http_proxy_module.html
const streamHeaders = ['content-type', contentType, 'x-accel-buffering', 'no']

/**
 * The event stream: first the changes since `since` or `Last-Event-ID`, then every change when it is committed. With
 * `follow=no`, for clients behind a proxy that delays a stream, it ends after the first ones.
 */
export function eventsRoute(app: Api, options: RecordRouteOptions): void {
  const { employees, liveList, streams, responses } = options
  const prepareMissed = createFeed(app, options)

  app.get(
    paths.changes,
    // A client that comes from another server may know a later revision.
    { schema, exposeHeadRoute: false, preHandler: createCatchUp(employees) },
    (request, reply) => {
      const { session, account } = request.session
      const follows = request.query.follow !== 'no'
      if (follows && !streams.canOpen(session.hash))
        throw new AppError('too-many-requests', { retryAfterSeconds: 15 })
      const since = Number(request.headers['last-event-id'] ?? request.query.since ?? liveList.revision)
      const missed = prepareMissed(account.uid, since)
      if (!follows) return responses.sendBody(reply, missed, { 'content-type': contentType })
      const stream = writeRawHead(request, reply, 200, streamHeaders)
      responses.write(stream, account.uid, missed)
      streams.open(session.hash, stream, account.uid)
    },
  )
}

/**
 * Broadcasts the changes. A stream with unread data gets nothing until it is read, and then what it has missed. Returns a
 * function that prepares the changes since a revision; it throws `busy`.
 */
function createFeed(app: Api, { liveList, streams, responses }: RecordRouteOptions) {
  const formatMissed = createMissedChanges(liveList)
  const behind = new WeakSet<ServerResponse>()
  let sentRevision = liveList.revision
  const gatherer = createGatherer((events) => {
    const since = sentRevision
    sentRevision = liveList.revision
    streams.broadcast(Buffer.from(events), (stream, uid) => followUp(stream, uid, since))
  })
  app.server.on('request', gatherer.countRequest)
  liveList.subscribe((changes) => {
    gatherer.add(changes?.map(formatChange).join('') ?? formatStale(liveList))
  })

  function prepareMissed(uid: string, since: number): Buffer {
    const missed = formatMissed(since)
    responses.requireCapacity(uid, missed)
    return missed
  }

  function followUp(stream: ServerResponse, uid: string, since: number) {
    if (behind.has(stream)) return
    behind.add(stream)
    // Called when what was written before has been read.
    stream.socket?.write('', (error) => {
      behind.delete(stream)
      if (error || stream.writableEnded) return
      try {
        responses.write(stream, uid, prepareMissed(uid, since))
      } catch {
        stream.socket?.resetAndDestroy()
      }
    })
  }

  return (uid: string, since: number) => {
    // What is waiting is among the missed changes. Not in `followUp`: it would overtake them.
    gatherer.flush()
    return prepareMissed(uid, since)
  }
}

const gatherMs = 20

/**
 * Joins events that arrive while others do, to send them in one write per stream. An event is sent after the response of the
 * write that caused it, which would wait for one system call per stream. If a request has waited while the events before were
 * sent, at most half of the time goes to sending, so that thousands of streams do not keep requests waiting; and events that
 * come faster than twice the time that sending takes are gathered for 20 ms.
 */
export function createGatherer(send: (events: string) => void, now = () => performance.now()) {
  let pending = ''
  let arrivedAt = Number.NEGATIVE_INFINITY
  let sentAt = Number.NEGATIVE_INFINITY
  let sendMs = 0
  let timer: NodeJS.Timeout | undefined
  let requests = 0
  let hasKeptWaiting = false

  function flush() {
    clearTimeout(timer)
    if (pending === '') return
    const events = pending
    pending = ''
    sentAt = now()
    requests = 0
    send(events)
    sendMs = now() - sentAt
    // By then, all requests have been received that arrived meanwhile.
    setImmediate(() => {
      hasKeptWaiting = requests > 0
    })
  }

  return {
    add(events: string) {
      if (events === '') return
      const isFirst = pending === ''
      const isDense = now() - arrivedAt < 2 * sendMs
      arrivedAt = now()
      pending += events
      if (!isFirst) return
      const waitMs = sentAt + Math.max(2 * sendMs, isDense ? gatherMs : 0) - arrivedAt
      if (hasKeptWaiting && waitMs > 0) timer = setTimeout(flush, waitMs)
      else setImmediate(flush)
    },
    flush,
    countRequest() {
      requests++
    },
  }
}

const formatChange = ({ revision, json }: ChangeMessage) => formatEvent(changeEvents.change, json, revision)

const formatStale = ({ revision }: LiveList) => formatEvent(changeEvents.stale, '{}', revision)

/** Returns a function that formats the changes since a revision, after a comment. Readers that missed the same share them. */
function createMissedChanges(liveList: LiveList): (since: number) => Buffer {
  let latest: { since: number; revision: number; bytes: Buffer } | undefined
  return (since) => {
    const { revision } = liveList
    if (latest?.since !== since || latest.revision !== revision)
      latest = { since, revision, bytes: Buffer.from(`:\n\n${formatMissedChanges(liveList, since)}`) }
    return latest.bytes
  }
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
