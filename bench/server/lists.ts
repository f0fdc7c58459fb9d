import { paths } from '../../contract/protocol.ts'
import { buildRequest, compareLoads } from './load.ts'
import { createSeededFolder, employeeAt, startBaseline, startWithSession } from './servers.ts'

const recordCount = 10_000
const referenceName = 'bare `node:http`, the same bytes'

/** The list of 10,000 records: complete, unchanged, and during writes. */
export async function measureLists() {
  const ours = await startWithSession(await createSeededFolder(recordCount))
  const bare = await startBaseline(ours.url, ours.cookie)
  const headers = { cookie: ours.cookie, 'accept-encoding': 'gzip' }
  const list = buildRequest('GET', paths.books, headers)
  const listLoads = [
    { ...ours, request: () => list },
    { ...bare, request: () => list },
  ] as const
  for (const connections of [1, 50]) {
    const label = `list 10,000, gzip, ${connections} connection${connections > 1 ? 's' : ''}`
    await compareLoads({ label, referenceName, atLeast: 0.85 }, connections, ...listLoads)
  }

  const response = await fetch(ours.url + paths.books, { method: 'HEAD', headers })
  const conditional = { 'if-none-match': String(response.headers.get('etag')) }
  const unchanged = buildRequest('GET', paths.books, { ...headers, ...conditional })
  const minimal = buildRequest('GET', '/', conditional)
  for (const connections of [1, 50]) {
    const label = `list unchanged (304), ${connections} connection${connections > 1 ? 's' : ''}`
    const ourLoad = { ...ours, request: () => unchanged }
    await compareLoads({ label, referenceName, atLeast: 0.75 }, connections, ourLoad, {
      ...bare,
      request: () => unchanged,
    })
    const shortName = 'bare `node:http`, a shorter request and two headers'
    await compareLoads({ label, referenceName: shortName }, connections, ourLoad, {
      ...bare,
      request: () => minimal,
    })
  }

  const mixed = (turn: number, connection: number) => {
    if ((turn + connection) % 10 !== 0) return list
    const i = (turn * 31 + connection * 997) % recordCount
    return buildRequest('PATCH', paths.book(`record-${i}`), { cookie: ours.cookie }, employeeAt(turn))
  }
  const label = 'list while 10 % are writes, 50 connections'
  await compareLoads({ label, referenceName, atLeast: 0.5 }, 50, { ...ours, request: mixed }, listLoads[1])
  await Promise.all([ours.stop(), bare.stop()])
}
