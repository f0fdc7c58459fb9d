import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { paths } from '../../contract/protocol.ts'
import { toAppError } from '../http/error-handler.ts'
import type { BackupStatus } from '../process/daily-backups.ts'
import { type RegisterSize, subscribeToCommits } from '../storage/storage.ts'
import { version } from '../version.ts'

/** Resolution of the event-loop delay: a timer of this interval measures how late it is. */
const resolutionMs = 20

export interface Address {
  host: string
  port: number
}

export type Metrics = ReturnType<typeof createMetrics>

/** Counts what a server does. Labels contain no addresses, emails, ids or names. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const countRequest = createRequestMetrics(registers)
  const refusals = createCounter(registers, 'refusals', 'Error responses by code.', ['code'])
  const countCommit = createCommitMetrics(registers)
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  let countStreams = () => 0
  let readSize = (): RegisterSize => ({ bytes: 0, deletedBytes: 0, maxBytes: Number.POSITIVE_INFINITY })
  addProcessMetrics(
    registers,
    delay,
    () => countStreams(),
    () => readSize(),
  )
  return {
    /** Counts the requests of a server, until it is closed. Call it before its routes are added. */
    watch(
      app: FastifyInstance,
      streams: { count(): number },
      size: () => RegisterSize,
      readBackupStatus?: () => Promise<BackupStatus>,
    ): void {
      countStreams = streams.count
      readSize = size
      if (readBackupStatus) addBackupMetrics(registers, readBackupStatus)
      const unsubscribe = subscribeToCommits(countCommit)
      app.addHook('onResponse', (request, reply, done) => {
        countRequest(request, reply)
        done()
      })
      app.addHook('onError', (_request, _reply, error, done) => {
        refusals.inc({ code: toAppError(error).code })
        done()
      })
      delay.enable()
      app.addHook('onClose', async () => {
        unsubscribe()
        delay.disable()
      })
    },
    /** Returns all metrics in Prometheus' text format. */
    render: () => registry.metrics(),
    /** Serves `GET /metrics` on an address of its own. Does not keep the process alive. Resolves with its URL. */
    async serve({ host, port }: Address): Promise<string> {
      const server = createServer(async ({ method, url }, response) => {
        if (method !== 'GET' || url !== '/metrics') return response.writeHead(404).end()
        response.setHeader('content-type', registry.contentType)
        return response.end(await registry.metrics())
      })
      server.listen(port, host).unref()
      await once(server, 'listening')
      const { port: actualPort } = server.address() as AddressInfo
      return `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}/metrics`
    },
  }
}

function createCounter(registers: Registry[], name: string, help: string, labelNames: string[] = []) {
  return new Counter({ name: `staffbook_${name}_total`, help, labelNames, registers })
}

/** Returns a function that counts a request whose response was sent. */
function createRequestMetrics(registers: Registry[]) {
  const requests = createCounter(
    registers,
    'http_requests',
    'Finished requests. Files of the page have the route "page".',
    ['method', 'route', 'status'],
  )
  const durations = new Histogram({
    name: 'staffbook_http_request_seconds',
    help: 'Time until a response was sent, without event streams.',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
    registers,
  })
  const signIns = createCounter(registers, 'sign_ins', 'Attempts to sign in by result.', ['result'])
  return ({ method, routeOptions }: FastifyRequest, reply: FastifyReply) => {
    const route = routeOptions.url ?? 'page'
    requests.inc({ method, route, status: reply.raw.statusCode })
    if (route !== paths.changes) durations.observe({ method, route }, reply.elapsedTime / 1000)
    if (method === 'POST' && route === paths.session) {
      signIns.inc({ result: reply.raw.statusCode === 200 ? 'signed-in' : 'refused' })
    }
  }
}

/** Returns a function that counts a committed transaction. */
function createCommitMetrics(registers: Registry[]) {
  const writes = createCounter(registers, 'writes', 'Committed writes.')
  const commitTimes = new Histogram({
    name: 'staffbook_commit_seconds',
    help: 'Time of a transaction, with its fsync.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  const groupSizes = new Histogram({
    name: 'staffbook_commit_writes',
    help: 'Writes that shared a transaction.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers,
  })
  return (commit: { writes: number; seconds: number }) => {
    writes.inc(commit.writes)
    commitTimes.observe(commit.seconds)
    groupSizes.observe(commit.writes)
  }
}

function addBackupMetrics(registers: Registry[], readStatus: () => Promise<BackupStatus>) {
  const gauge = (name: string, help: string, read: (status: BackupStatus) => number) =>
    new Gauge({
      name: `staffbook_backup_${name}`,
      help,
      registers,
      collect: async function () {
        this.set(read(await readStatus()))
      },
    })
  const ageHelp = 'Age of the latest backup in BACKUP_DIR; +Inf without one.'
  gauge('age_seconds', ageHelp, ({ ageSeconds }) => ageSeconds ?? Number.POSITIVE_INFINITY)
  gauge('failed', 'Whether the latest attempt to back up failed.', ({ failed }) => Number(failed))
}

/** Adds gauges, which are read at each scrape. prom-client's own gauges have other names. */
function addProcessMetrics(
  registers: Registry[],
  delay: ReturnType<typeof monitorEventLoopDelay>,
  countStreams: () => number,
  readSize: () => RegisterSize,
) {
  const gauge = (name: string, help: string, labelNames: string[], collect: (this: Gauge) => void) =>
    new Gauge({ name, help, labelNames, collect, registers })
  gauge('staffbook_info', 'Always 1.', ['version', 'node'], function () {
    this.set({ version, node: process.versions.node }, 1)
  })
  gauge('staffbook_streams', 'Open event streams.', [], function () {
    this.set(countStreams())
  })
  gauge('staffbook_register_bytes', 'Size of the records, see MAX_REGISTER_MB.', [], function () {
    this.set(readSize().bytes)
  })
  gauge('staffbook_register_deleted_bytes', 'The same of deleted records.', [], function () {
    this.set(readSize().deletedBytes)
  })
  gauge('staffbook_register_max_bytes', 'Beyond it, records are refused.', [], function () {
    this.set(readSize().maxBytes)
  })
  gauge('staffbook_memory_bytes', 'Memory of the process by kind.', ['kind'], function () {
    const { rss, heapUsed, external } = process.memoryUsage()
    this.set({ kind: 'resident' }, rss)
    this.set({ kind: 'heap' }, heapUsed)
    this.set({ kind: 'external' }, external)
  })
  gauge('process_start_time_seconds', 'Seconds since 1970.', [], function () {
    this.set(Math.round(performance.timeOrigin / 1000))
  })
  const delayHelp = 'How late timers ran since the previous scrape; quantile 1 is the maximum.'
  gauge('staffbook_event_loop_delay_seconds', delayHelp, ['quantile'], function () {
    for (const quantile of [0.5, 0.99, 1]) {
      const seconds = delay.count === 0 ? 0 : delay.percentile(quantile * 100) / 1e9 - resolutionMs / 1000
      this.set({ quantile }, Math.max(0, seconds))
    }
    delay.reset()
  })
}
