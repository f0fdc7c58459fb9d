import { once } from 'node:events'
import { paths } from '../../contract/protocol.ts'
import { createTestClient } from '../../tests/support/http-client.ts'
import { median } from '../statistics.ts'
import { buildRequest, openSocket } from './load.ts'
import { reportResult } from './report.ts'
import { createSeededFolder, employeeAt, startBaseline, startWithSession } from './servers.ts'

const changeCount = 40
const streamsPerSession = 20
const connectionsPerAddress = 400

interface Target {
  url: string
  /** The sessions have room for all viewers. */
  cookies: string[]
  write: (turn: number) => Buffer
}

/**
 * The time from a write until the median viewer has its event, and until the writer has its response, with and without
 * viewers.
 */
export async function measureFeed() {
  const ours = await startWithSession(await createSeededFolder(100))
  const bare = await startBaseline(ours.url, ours.cookie)
  const cookies = await signInRepeatedly(ours.url, 1000 / streamsPerSession)
  const target: Target = {
    url: ours.url,
    cookies,
    write: (turn) => buildRequest('PATCH', paths.book('record-1'), { cookie: ours.cookie }, employeeAt(turn)),
  }
  const bareTarget = { ...target, url: bare.url, write: () => buildRequest('POST', '/', {}, employeeAt(1)) }
  await measureChanges(target, 0)
  for (const viewers of [100, 1000]) {
    const withViewers = await measureChanges(target, viewers)
    const without = await measureChanges(target, 0)
    const reference = await measureChanges(bareTarget, viewers)
    const label = `${viewers.toLocaleString('en')} viewers, p50`
    reportResult({
      label: `change to event, ${label}`,
      ours: withViewers.eventMs,
      reference: reference.eventMs,
      referenceName: 'bare `node:http` and group commit in a worker',
      unit: ' ms',
      atMost: 2,
    })
    reportResult({
      label: `a write's response with ${label}`,
      ours: withViewers.responseMs,
      reference: without.responseMs,
      referenceName: 'without viewers',
      unit: ' ms',
      ...(viewers === 100 ? { atMost: 1.5 } : {}),
    })
  }
  await Promise.all([ours.stop(), bare.stop()])
}

export async function signInRepeatedly(url: string, count: number): Promise<string[]> {
  const cookies: string[] = []
  for (let i = 0; i < count; i++) {
    const client = createTestClient(url)
    await client.signIn('ada@example.com')
    cookies.push(client.cookie)
  }
  return cookies
}

async function measureChanges({ url, cookies, write }: Target, viewers: number) {
  let eventTimes: number[] = []
  const sockets = await Promise.all(
    Array.from({ length: viewers }, async (_, i) => {
      const socket = await openSocket(url, `127.0.0.${2 + Math.floor(i / connectionsPerAddress)}`)
      const cookie = cookies[Math.floor(i / streamsPerSession)] as string
      socket.write(buildRequest('GET', paths.changes, { cookie }))
      const [head] = await once(socket, 'data')
      if (!String(head).startsWith('HTTP/1.1 200')) throw new Error(`The stream was rejected: ${head}`)
      return socket.on('data', (bytes) => {
        if (bytes.includes('event: change')) eventTimes.push(performance.now())
      })
    }),
  )
  const writer = await openSocket(url)
  const responseMs: number[] = []
  const eventMs: number[] = []
  for (let i = 0; i < changeCount; i++) {
    eventTimes = []
    const sentAt = performance.now()
    writer.write(write(i))
    await once(writer, 'data')
    responseMs.push(performance.now() - sentAt)
    while (eventTimes.length < viewers) await new Promise(setImmediate)
    if (viewers > 0) eventMs.push(median(eventTimes) - sentAt)
  }
  for (const socket of [...sockets, writer]) socket.destroy()
  return { responseMs: median(responseMs), eventMs: median(eventMs) }
}
