import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { paths } from '../../contract/protocol.ts'
import { toAppError } from '../http/error-handler.ts'
import { subscribeToCommits } from '../storage/commit-channel.ts'
import { version } from '../version.ts'
import { createCounter, createGauge, createHistogram, type Labels } from './text-format.ts'

/** Resolution of the event-loop delay: a timer of this interval measures how late it is. */
const resolutionMs = 20

export type Metrics = ReturnType<typeof createMetrics>

/** Counts what a server does. Labels contain no addresses, emails, ids or names. */
export function createMetrics() {
  const requests = createCounter(
    'staffbook_http_requests_total',
    'Finished requests. Files of the page have the route "page".',
  )
  const durations = createHistogram(
    'staffbook_http_request_seconds',
    'Time until a response was sent, without event streams.',
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
  )
  const refusals = createCounter('staffbook_refusals_total', 'Error responses by code.')
  const signIns = createCounter('staffbook_sign_ins_total', 'Attempts to sign in by result.')
  const writes = createCounter('staffbook_writes_total', 'Committed writes.')
  const commitTimes = createHistogram(
    'staffbook_commit_seconds',
    'Time of a transaction, with its fsync.',
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  )
  const groupSizes = createHistogram(
    'staffbook_commit_writes',
    'Writes that shared a transaction.',
    [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
  )
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  let countStreams = () => 0
  writes.add({}, 0)
  const gauges = createGauges(delay, () => countStreams())
  const all = [requests, durations, refusals, signIns, writes, commitTimes, groupSizes, ...gauges]

  function countRequest({ method, routeOptions }: FastifyRequest, reply: FastifyReply) {
    const route = routeOptions.url ?? 'page'
    requests.add({ method, route, status: reply.raw.statusCode })
    if (route !== paths.changes) durations.observe(reply.elapsedTime / 1000, { method, route })
    if (method === 'POST' && route === paths.session) {
      signIns.add({ result: reply.raw.statusCode === 200 ? 'signed-in' : 'refused' })
    }
  }

  return {
    /** Counts the requests of a server, until it is closed. Call it before its routes are added. */
    watch(app: FastifyInstance, streams: { count(): number }): void {
      countStreams = streams.count
      const unsubscribe = subscribeToCommits((commit) => {
        writes.add({}, commit.writes)
        commitTimes.observe(commit.seconds)
        groupSizes.observe(commit.writes)
      })
      app.addHook('onResponse', (request, reply, done) => {
        countRequest(request, reply)
        done()
      })
      app.addHook('onError', (_request, _reply, error, done) => {
        refusals.add({ code: toAppError(error).code })
        done()
      })
      delay.enable()
      app.addHook('onClose', async () => {
        unsubscribe()
        delay.disable()
      })
    },

    /** Returns Prometheus' text format. */
    render: () => all.map((metric) => metric.render()).join(''),
  }
}

function createGauges(delay: ReturnType<typeof monitorEventLoopDelay>, countStreams: () => number) {
  return [
    createGauge('staffbook_info', 'Always 1.', () => [[{ version, node: process.versions.node }, 1]]),
    createGauge('staffbook_streams', 'Open event streams.', () => [[{}, countStreams()]]),
    createGauge(
      'staffbook_event_loop_delay_seconds',
      'How late timers ran since the previous scrape; quantile 1 is the maximum.',
      () => readDelay(delay),
    ),
    createGauge('staffbook_memory_bytes', 'Memory of the process by kind.', () => {
      const { rss, heapUsed, external } = process.memoryUsage()
      return [
        [{ kind: 'resident' }, rss],
        [{ kind: 'heap' }, heapUsed],
        [{ kind: 'external' }, external],
      ]
    }),
    createGauge('process_start_time_seconds', 'Seconds since 1970.', () => [
      [{}, Math.round(performance.timeOrigin / 1000)],
    ]),
  ]
}

function readDelay(delay: ReturnType<typeof monitorEventLoopDelay>): [Labels, number][] {
  const toSeconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000)
  const values = [0.5, 0.99, 1].map((quantile): [Labels, number] => [
    { quantile },
    delay.count === 0 ? 0 : toSeconds(delay.percentile(quantile * 100)),
  ])
  delay.reset()
  return values
}
