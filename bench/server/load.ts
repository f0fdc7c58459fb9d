import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { median } from '../statistics.ts'
import { type Result, reportResult } from './report.ts'

const rounds = Number(process.env.ROUNDS ?? 15)
const milliseconds = Number(process.env.MILLISECONDS ?? 400)
/** V8 needs this time to optimize both servers, which makes them up to twice as fast. */
const warmUpMilliseconds = 2000

export interface Load {
  url: string
  connections: number
  /** Builds the request for a turn of a connection. */
  request: (turn: number, connection: number) => Buffer
  milliseconds: number
  /** The highest number of requests per second, over all connections. Default: unlimited. */
  maxPerSecond?: number
  /** The server's CPU time so far. */
  readCpuMicros?: () => number
}

export interface Measurement {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** The server's CPU time per response, which depends little on the load of other programs. */
  cpuMicros: number
}

type Comparable = Omit<Load, 'connections' | 'milliseconds'>

/** Measures two loads alternately, so that other programs disturb both, and prints the medians. */
export async function compareLoads(
  { label, referenceName, ...limits }: Omit<Result, 'ours' | 'reference'>,
  connections: number,
  ours: Comparable,
  reference: Comparable,
): Promise<void> {
  const [our, others]: [Measurement[], Measurement[]] = [[], []]
  for (const load of [ours, reference])
    await runLoad({ ...load, connections, milliseconds: warmUpMilliseconds })
  for (let round = 0; round < rounds; round++) {
    our.push(await runLoad({ ...ours, connections, milliseconds }))
    others.push(await runLoad({ ...reference, connections, milliseconds }))
  }
  const medianOf = (measured: Measurement[], key: keyof Measurement) =>
    median(measured.map((one) => one[key]))
  const ratio = median(our.map(({ perSecond }, i) => perSecond / (others[i] as Measurement).perSecond))
  reportResult({
    label,
    ours: medianOf(our, 'perSecond'),
    reference: medianOf(others, 'perSecond'),
    referenceName,
    ratio,
    ...limits,
    cpuMicros: [medianOf(our, 'cpuMicros'), medianOf(others, 'cpuMicros')],
  })
}

/** Sends requests on each connection, one at a time. Rejects if a response is neither 2xx nor 304. */
export async function runLoad({
  url,
  connections,
  request,
  milliseconds,
  ...options
}: Load): Promise<Measurement> {
  const { maxPerSecond = Number.POSITIVE_INFINITY, readCpuMicros = () => 0 } = options
  const times: number[] = []
  let rejected = 0
  const sockets = await Promise.all(Array.from({ length: connections }, () => openSocket(url)))
  const cpuBefore = readCpuMicros()
  const startedAt = performance.now()
  await Promise.all(
    sockets.map(async (socket, connection) => {
      const responses = readResponses(socket)
      for (let turn = 0; performance.now() < startedAt + milliseconds; turn++) {
        const dueAt = startedAt + (1000 * (turn * connections + connection)) / maxPerSecond
        if (dueAt > performance.now()) await after(dueAt - performance.now())
        const sentAt = performance.now()
        socket.write(request(turn, connection))
        const status = await responses.next()
        times.push(performance.now() - sentAt)
        if (status >= 300 && status !== 304) rejected++
      }
      socket.destroy()
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const cpuMicros = (readCpuMicros() - cpuBefore) / times.length
  if (rejected > 0) throw new Error(`The server rejected ${rejected} requests.`)
  times.sort((a, b) => a - b)
  const quantile = (q: number) => times[Math.min(times.length - 1, Math.floor(times.length * q))] as number
  return { perSecond: times.length / seconds, p50Ms: quantile(0.5), p99Ms: quantile(0.99), cpuMicros }
}

/** On Linux, `localAddress` may be any address that begins with 127. */
export async function openSocket(url: string, localAddress?: string): Promise<Socket> {
  const { hostname: host, port } = new URL(url)
  const socket = connect({ host, port: Number(port), localAddress }).setNoDelay()
  await once(socket, 'connect')
  return socket
}

/** Parses only the status and the length, so that the client needs little of the CPU that it measures on. */
function readResponses(socket: Socket) {
  let missingBytes = 0
  let status = 0
  let head = ''
  let complete: (status: number) => void = () => {}

  socket.on('data', (bytes: Buffer) => {
    let bodyBytes = bytes.length
    if (missingBytes === 0) {
      const text = bytes.toString('latin1', 0, Math.min(bytes.length, 4096))
      head += text
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      status = Number(head.slice(9, 12))
      missingBytes = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? '0')
      bodyBytes = bytes.length - (end + 4 - (head.length - text.length))
      head = ''
    }
    missingBytes -= bodyBytes
    if (missingBytes > 0) return
    missingBytes = 0
    complete(status)
  })
  return {
    next: () =>
      new Promise<number>((resolve) => {
        complete = resolve
      }),
  }
}

export function buildRequest(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body)
  const entity = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
  const lines = Object.entries({ host: 'localhost', ...headers, ...(text ? entity : {}) })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${text}`)
}
