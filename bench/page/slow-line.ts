import { Transform } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTcpProxy } from '../../tests/support/tcp-proxy.ts'

/** "Slow 4G" as the tools of browsers have it, in each direction, and for all connections together. */
const latencyMs = 281
const bytesPerSecond = 184_000
const segmentSize = 1_460

/**
 * Starts a slow line in front of a local port. Not the throttling of the browser, which leaves out what the service worker
 * requests. `setSlow` lifts the limits.
 */
export async function startSlowLine(targetUrl: string) {
  const received = { bytes: 0, requests: 0 }
  let isSlow = true
  let freeAt = 0

  /** Waits for a turn: the connections wait one behind the other with each segment. */
  async function takeTurn(bytes: number) {
    const startAt = Math.max(performance.now(), freeAt)
    freeAt = startAt + (bytes / bytesPerSecond) * 1_000
    await sleep(Math.max(0, startAt - performance.now()))
  }

  const createFilter = (onBytes: (bytes: Buffer) => void, isLimited: boolean) => () => {
    const delay = () => (isSlow ? latencyMs : 0)
    return new Transform({
      async transform(bytes: Buffer, _encoding, done) {
        onBytes(bytes)
        for (let at = 0; at < bytes.length; at += segmentSize) {
          const segment = bytes.subarray(at, at + segmentSize)
          if (isSlow && isLimited) await takeTurn(segment.length)
          setTimeout(() => this.writable && this.push(segment), delay())
        }
        done()
      },
      flush: (done) => void setTimeout(done, delay()),
    })
  }
  const upload = createFilter((bytes) => {
    received.requests += bytes.toString('latin1').match(/^(GET|POST|DELETE) .* HTTP/gm)?.length ?? 0
  }, false)
  const download = createFilter((bytes) => {
    received.bytes += bytes.length
  }, true)
  const proxy = await startTcpProxy(Number(new URL(targetUrl).port), upload, download)
  return {
    url: `http://127.0.0.1:${proxy.port}`,
    setSlow(value: boolean) {
      isSlow = value
    },
    /** Returns what has passed the line since the last call. */
    takeCounts() {
      const { bytes, requests } = received
      Object.assign(received, { bytes: 0, requests: 0 })
      return { bytes, requests }
    },
    close: proxy.close,
  }
}
