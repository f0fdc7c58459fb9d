import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { ssoPaths } from '../../contract/identity/sso.ts'
import { passkeyPaths } from '../../contract/passkeys.ts'
import { paths } from '../../contract/protocol.ts'
import { toAppError } from '../http/error-handler.ts'
import type { BackupStatus } from '../process/daily-backups.ts'
import { commits, type RegisterSize } from '../storage/storage.ts'
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
  const countRequest = createRequestMetrics(registry)
  const refusals = createCounter(registry, 'refusals', 'Error responses by code.', ['code'])
  const countCommit = createCommitMetrics(registry)
  return {
    /** Counts the requests of a server, until it is closed. Call it once, before its routes are added. */
    watch(
      app: FastifyInstance,
      streams: { count(): number },
      size: () => RegisterSize,
      readBackupStatus?: () => Promise<BackupStatus>,
    ): void {
      addServerMetrics(registry, streams, size)
      if (readBackupStatus) addBackupMetrics(registry, readBackupStatus)
      const stopProcessMetrics = addProcessMetrics(registry)
      commits.on('commit', countCommit)
      app.addHook('onResponse', (request, reply, done) => {
        countRequest(request, reply)
        done()
      })
      app.addHook('onError', (_request, _reply, error, done) => {
        refusals.inc({ code: toAppError(error).code })
        done()
      })
      app.addHook('onClose', async () => {
        commits.off('commit', countCommit)
        stopProcessMetrics()
      })
    },
    render: () => registry.metrics(),
    /** Serves `GET /metrics` on an address of its own. Does not keep the process alive. Resolves with its URL. */
    async serve({ host, port }: Address): Promise<string> {
      const server = createServer(({ method, url }, response) => {
        if (method !== 'GET' || url !== '/metrics') return response.writeHead(404).end()
        const send = (text: string) => response.setHeader('content-type', registry.contentType).end(text)
        // Without file descriptors, the memory cannot be read.
        return registry.metrics().then(send, () => response.writeHead(500).end())
      })
      server.listen(port, host).unref()
      await once(server, 'listening')
      const { port: actualPort } = server.address() as AddressInfo
      return `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}/metrics`
    },
  }
}

function createCounter(registry: Registry, name: string, help: string, labelNames: string[] = []) {
  return new Counter({ name: `staffbook_${name}_total`, help, labelNames, registers: [registry] })
}

function createHistogram(registry: Registry, name: string, help: string, buckets: number[]) {
  return new Histogram({ name: `staffbook_${name}`, help, buckets, registers: [registry] })
}

/** Adds a gauge that is read at each scrape: one value, or one for each value of a label. */
function addGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => number | Promise<number> | Record<string, number>,
  label?: string,
) {
  new Gauge({
    name,
    help,
    registers: [registry],
    labelNames: label ? [label] : [],
    async collect() {
      const values = await read()
      if (label === undefined) this.set(Number(values))
      else for (const [key, value] of Object.entries(values)) this.set({ [label]: key }, value)
    },
  })
}

const signInPaths = [paths.session, passkeyPaths.session, ssoPaths.session]

function createRequestMetrics(registry: Registry) {
  const requestsHelp = 'Finished requests. Files of the page have the route "page".'
  const requests = createCounter(registry, 'http_requests', requestsHelp, ['method', 'route', 'status'])
  const durations = new Histogram({
    name: 'staffbook_http_request_seconds',
    help: 'Time until a response was sent, without event streams.',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
    registers: [registry],
  })
  const signIns = createCounter(registry, 'sign_ins', 'Attempts to sign in by result.', ['result'])
  return ({ method, routeOptions }: FastifyRequest, reply: FastifyReply) => {
    const route = routeOptions.url ?? 'page'
    requests.inc({ method, route, status: reply.raw.statusCode })
    if (route !== paths.changes) durations.observe({ method, route }, reply.elapsedTime / 1000)
    if (method === 'POST' && signInPaths.includes(route)) {
      signIns.inc({ result: reply.raw.statusCode === 200 ? 'signed-in' : 'refused' })
    }
  }
}

function createCommitMetrics(registry: Registry) {
  const writes = createCounter(registry, 'writes', 'Committed writes.')
  const commitTimes = createHistogram(
    registry,
    'commit_seconds',
    'Time of a transaction, with its fsync.',
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  )
  const groupSizes = createHistogram(
    registry,
    'commit_writes',
    'Writes that shared a transaction.',
    [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
  )
  return (commit: { writes: number; seconds: number }) => {
    writes.inc(commit.writes)
    commitTimes.observe(commit.seconds)
    groupSizes.observe(commit.writes)
  }
}

function addBackupMetrics(registry: Registry, readStatus: () => Promise<BackupStatus>) {
  const ageHelp = 'Age of the latest backup in BACKUP_DIR; +Inf without one.'
  const readAge = async () => (await readStatus()).ageSeconds ?? Number.POSITIVE_INFINITY
  addGauge(registry, 'staffbook_backup_age_seconds', ageHelp, readAge)
  const failedHelp = 'Whether the latest attempt to back up failed.'
  const readFailed = async () => Number((await readStatus()).failed)
  addGauge(registry, 'staffbook_backup_failed', failedHelp, readFailed)
}

function addServerMetrics(registry: Registry, streams: { count(): number }, size: () => RegisterSize) {
  const gauge = (name: string, help: string, read: () => number) => addGauge(registry, name, help, read)
  gauge('staffbook_streams', 'Open event streams.', streams.count)
  gauge('staffbook_register_bytes', 'Size of the records, see MAX_REGISTER_MB.', () => size().bytes)
  gauge('staffbook_register_deleted_bytes', 'The same of deleted records.', () => size().deletedBytes)
  gauge('staffbook_register_max_bytes', 'Beyond it, records are refused.', () => size().maxBytes)
}

/** prom-client's own gauges have other names. Returns a function that stops measuring. */
function addProcessMetrics(registry: Registry): () => void {
  const [info, registers] = [{ version, node: process.versions.node }, [registry]]
  const labelNames = Object.keys(info)
  new Gauge({ name: 'staffbook_info', help: 'Always 1.', labelNames, registers }).set(info, 1)
  const startedAt = Math.round(performance.timeOrigin / 1000)
  new Gauge({ name: 'process_start_time_seconds', help: 'Seconds since 1970.', registers }).set(startedAt)
  const readMemory = () => {
    const { rss: resident, heapUsed: heap, external } = process.memoryUsage()
    return { resident, heap, external }
  }
  addGauge(registry, 'staffbook_memory_bytes', 'Memory of the process by kind.', readMemory, 'kind')
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  const readDelay = () => {
    const seconds = (quantile: number) =>
      delay.count === 0 ? 0 : Math.max(0, delay.percentile(quantile * 100) / 1e9 - resolutionMs / 1000)
    const read = Object.fromEntries([0.5, 0.99, 1].map((quantile) => [quantile, seconds(quantile)]))
    delay.reset()
    return read
  }
  const delayHelp = 'How late timers ran since the previous scrape; quantile 1 is the maximum.'
  addGauge(registry, 'staffbook_event_loop_delay_seconds', delayHelp, readDelay, 'quantile')
  delay.enable()
  return () => delay.disable()
}
