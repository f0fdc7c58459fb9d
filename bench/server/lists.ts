import { paths } from '../../contract/protocol.ts'
import { employeeAt } from './employees.ts'
import { measureInterleaved } from './interleaved.ts'
import { buildRequest } from './load.ts'
import { formatNumber, printRow } from './report.ts'
import { createSeededFolder, startBaseline, startUnlimitedWithSession } from './servers.ts'

const recordCount = 10_000

/** The list of 10,000 records: whole, unchanged, and while others write. */
export async function measureLists() {
  const ours = await startUnlimitedWithSession(await createSeededFolder(recordCount))
  const bare = await startBaseline(ours.url, ours.cookie)
  const requestHeaders = { cookie: ours.cookie, 'accept-encoding': 'gzip' }
  const list = buildRequest('GET', paths.books, requestHeaders)
  const measureRow = async (
    work: string,
    wanted: number | undefined,
    connections: number,
    ourRequest: typeof listRequest,
    bareRequest = ourRequest,
    against = 'bare `node:http`, the same bytes',
  ) => {
    const [our, other] = await measureInterleaved(
      { ...ours, connections, request: ourRequest },
      { ...bare, connections, request: bareRequest },
    )
    if (!our || !other) return
    const { ratio } = our
    printRow({
      label: work,
      ours: `${formatNumber(our.perSecond)}/s`,
      baseline: `${formatNumber(other.perSecond)}/s`,
      baselineName: against,
      ratio,
      ...(wanted === undefined ? {} : { wanted: `≥ ${wanted}`, reached: ratio >= wanted }),
      cpuMicros: [our.cost, other.cost],
    })
  }
  const listRequest = (_turn: number, _connection: number) => list
  await measureRow('list 10,000, gzip, 1 connection', 0.9, 1, listRequest)
  await measureRow('list 10,000, gzip, 50 connections', 0.9, 50, listRequest)

  const response = await fetch(ours.url + paths.books, { method: 'HEAD', headers: requestHeaders })
  const conditionalHeaders = { 'if-none-match': String(response.headers.get('etag')) }
  const unchanged = buildRequest('GET', paths.books, { ...requestHeaders, ...conditionalHeaders })
  const baselineRequest = buildRequest('GET', '/', conditionalHeaders)
  for (const connections of [1, 50]) {
    const work = `list unchanged (304), ${connections} connection${connections > 1 ? 's' : ''}`
    await measureRow(work, 0.9, connections, () => unchanged)
    const against = 'bare `node:http`, asked for less and with two headers'
    await measureRow(
      work,
      undefined,
      connections,
      () => unchanged,
      () => baselineRequest,
      against,
    )
  }

  const mixed = (turn: number, connection: number) => {
    if ((turn + connection) % 10 !== 0) return list
    const i = (turn * 31 + connection * 997) % recordCount
    return buildRequest('PATCH', paths.book(`record-${i}`), { cookie: ours.cookie }, employeeAt(turn))
  }
  await measureRow('list while 10 % are writes, 50 connections', 0.5, 50, mixed, listRequest)
  await ours.stop()
  await bare.stop()
}
