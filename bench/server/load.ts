import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'

/** A request as bytes, made anew for every turn where it must differ. */
export type RequestFactory = (turn: number, connection: number) => Buffer

export interface Load {
  url: string
  connections: number
  request: RequestFactory
  milliseconds: number
  /** Requests a second, of all connections together, beyond which they wait; none: as fast as they are answered. */
  atMost?: number
  /** What the server has used of the processor so far, in microseconds. */
  readCpuMicros?: () => number
}

export interface Measurement {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Microseconds of the processor that the server took for one answer; other programs' load does not change it much. */
  cost: number
  /** Answers that were not 2xx or 304. */
  bad: number
}

/** Asks one request at a time on each connection: as fast as it is answered, or as often as it may. */
export async function runLoad({
  url,
  connections,
  request,
  milliseconds,
  atMost = Number.POSITIVE_INFINITY,
  readCpuMicros = () => 0,
}: Load): Promise<Measurement> {
  const { hostname, port } = new URL(url)
  const times: number[] = []
  let bad = 0
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(Number(port), hostname).setNoDelay()
      await once(socket, 'connect')
      return socket
    }),
  )
  const cpuBefore = readCpuMicros()
  const began = performance.now()
  const endsAt = began + milliseconds
  await Promise.all(
    sockets.map(async (socket, connection) => {
      const answers = readAnswers(socket)
      for (let turn = 0; performance.now() < endsAt; turn++) {
        const delayMs = began + (1000 * (turn * connections + connection)) / atMost - performance.now()
        if (delayMs > 0) await after(delayMs)
        const sent = performance.now()
        socket.write(request(turn, connection))
        const status = await answers.next()
        times.push(performance.now() - sent)
        if (status >= 300 && status !== 304) bad++
      }
      socket.destroy()
    }),
  )
  const cost = (readCpuMicros() - cpuBefore) / times.length
  const seconds = (performance.now() - began) / 1000
  times.sort((a, b) => a - b)
  const quantile = (q: number) => times[Math.min(times.length - 1, Math.floor(times.length * q))] as number
  return { perSecond: times.length / seconds, p50: quantile(0.5), p99: quantile(0.99), cost, bad }
}

/** Reads no more of an answer than where it ends; a client that did more would measure itself. */
function readAnswers(socket: Socket) {
  let missingBytes = 0
  let status = 0
  let head = ''
  let done: (status: number) => void = () => {}

  socket.on('data', (bytes: Buffer) => {
    let rest = bytes.length
    if (missingBytes === 0) {
      head += bytes.toString('latin1', 0, Math.min(bytes.length, 4096))
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? '0'
      status = Number(head.slice(9, 12))
      missingBytes = Number(length)
      rest = bytes.length - (end + 4 - (head.length - Math.min(bytes.length, 4096)))
      head = ''
    }
    missingBytes -= rest
    if (missingBytes <= 0) {
      missingBytes = 0
      done(status)
    }
  })
  return {
    next: () =>
      new Promise<number>((resolve) => {
        done = resolve
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
  const all = {
    host: 'bench',
    ...headers,
    ...(text
      ? { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
      : {}),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`)
}
