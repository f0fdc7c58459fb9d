import { setTimeout as after } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { idempotencyKeyHeader, paths } from '../../contract/protocol.ts'
import { signInRepeatedly } from './feed.ts'
import { buildRequest, openSocket } from './load.ts'
import { reportResult } from './report.ts'
import { createFolder, startWithSession } from './servers.ts'

const readers = 400
const linesPerSession = 20
const settleMs = 5000

type Server = Awaited<ReturnType<typeof startWithSession>>

/** What one account can make the server keep in memory: full registers, and answers and events that nobody reads. */
export async function measureMemory() {
  const filled = await startWithSession(createFolder())
  await measureGrowth(filled, 'a register filled to its maximum', 800, () => fillRegister(filled))
  await filled.stop()

  const server = await startWithSession(createFolder())
  await addAndDelete(server)
  const cookies = await signInRepeatedly(server.url, readers / linesPerSession)
  await measureGrowth(server, `${readers} unread answers of 1 MB`, 100, () =>
    openUnread(server, cookies, paths.deleted),
  )
  await post(server, paths.batch, { add: recordsOf('x', 12), update: [], remove: [] })
  await measureGrowth(server, `${readers} unread streams that missed 240 KB`, 100, () =>
    openUnread(server, cookies, `${paths.changes}?since=120`),
  )
  await server.stop()
}

async function measureGrowth(server: Server, label: string, maxMegabytes: number, work: () => unknown) {
  const before = server.residentMegabytes()
  await work()
  await after(settleMs)
  reportResult({
    label: `memory that ${label} takes`,
    ours: server.residentMegabytes() - before,
    reference: maxMegabytes,
    referenceName: 'the limit',
    unit: ' MB',
    atMost: 1,
  })
}

const recordsOf = (character: string, count: number) => {
  const text = character.repeat(9_900)
  return Array.from({ length: count }, () => ({ eName: text, email: 'a@example.com', password: text }))
}

let keyCount = 0

function post({ url, cookie }: Server, path: string, body: object) {
  const headers = {
    cookie,
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    [idempotencyKeyHeader]: `key-${keyCount++}`,
  }
  return fetch(url + path, { method: 'POST', headers, body: gzipSync(JSON.stringify(body)) })
}

/** Sends batches of 20 MB. */
async function fillRegister(server: Server) {
  const batch = { add: recordsOf('x', 1000), update: [], remove: [] }
  let status = 200
  while (status === 200) status = (await post(server, paths.batch, batch)).status
  if (status !== 507) throw new Error(`The batch was rejected with ${status}.`)
}

/** Leaves 60 deleted records whose characters have six bytes each in JSON. */
async function addAndDelete(server: Server) {
  const records = recordsOf('\u0001', 60)
  const added = await post(server, paths.batch, { add: records, update: [], remove: [] })
  const { ids } = (await added.json()) as { ids: string[] }
  const remove = records.map((fields, i) => ({ id: ids[i], ...fields }))
  await post(server, paths.batch, { add: [], update: [], remove })
}

/** Each sends its request and reads nothing. */
async function openUnread({ url }: Server, cookies: string[], path: string) {
  for (let i = 0; i < readers; i++) {
    const socket = await openSocket(url, `127.0.0.${2 + (i % 2)}`)
    socket.pause()
    const cookie = cookies[Math.floor(i / linesPerSession)] as string
    socket.on('error', () => {}).write(buildRequest('GET', path, { cookie }))
  }
}
