import { paths } from '../../contract/protocol.ts'
import { employeeAt } from './employees.ts'
import { measureInterleaved } from './interleaved.ts'
import { buildRequest, type RequestFactory } from './load.ts'
import { formatNumber, printRow } from './report.ts'
import { createSeededFolder, startBaseline, startUnlimitedWithSession } from './servers.ts'

/** Durable writes against the bare group commit. */
export async function measureWrites() {
  const ours = await startUnlimitedWithSession(await createSeededFolder(100))
  const deleteServer = await startUnlimitedWithSession(await createSeededFolder(400_000))
  const bare = await startBaseline(ours.url, ours.cookie)
  let removed = 0
  const deleteNext = () =>
    buildRequest('DELETE', paths.book(`record-${removed++}`), { cookie: deleteServer.cookie })
  const against = 'bare `node:http` and group commit in a worker'

  for (const [connections, wanted] of [
    [50, 0.5],
    [1, 0.7],
  ] as const) {
    const bareAdd = { ...bare, connections, request: () => buildRequest('POST', '/', {}, employeeAt(1)) }
    const kinds = {
      add: {
        ...ours,
        request: () => buildRequest('POST', paths.books, { cookie: ours.cookie }, employeeAt(1)),
      },
      update: { ...ours, request: createUpdateRequests(100, ours.cookie) },
      delete: { ...deleteServer, request: deleteNext },
    }
    for (const [name, kind] of Object.entries(kinds)) {
      const [our, other] = await measureInterleaved({ connections, ...kind }, bareAdd)
      if (!our || !other) continue
      const { ratio } = our
      printRow({
        label: `durable ${name}, ${connections} connection${connections > 1 ? 's' : ''}`,
        ours: `${formatNumber(our.perSecond)}/s`,
        baseline: `${formatNumber(other.perSecond)}/s`,
        baselineName: against,
        ratio,
        wanted: `≥ ${wanted}`,
        reached: ratio >= wanted,
        cpuMicros: [our.cost, other.cost],
      })
    }
  }
  await bare.stop()
  await deleteServer.stop()

  await ours.stop()
}

/** A write with a full register against one with an empty one. Both servers are new, so that neither has been warmed up by more than the other. */
export async function measureGrowth() {
  const full = await startUnlimitedWithSession(await createSeededFolder(100_000))
  const small = await startUnlimitedWithSession(await createSeededFolder(100))
  const [inFull, inEmpty] = await measureInterleaved(
    { ...full, connections: 50, request: createUpdateRequests(100, full.cookie) },
    { ...small, connections: 50, request: createUpdateRequests(100, small.cookie) },
  )
  if (!inFull || !inEmpty) return
  const { ratio } = inFull
  printRow({
    label: 'a write with 100,000 records, 50 connections',
    ours: `${formatNumber(inFull.perSecond)}/s`,
    baseline: `${formatNumber(inEmpty.perSecond)}/s`,
    baselineName: 'ours with 100 records',
    ratio,
    wanted: '≥ 0.9',
    reached: ratio >= 0.9,
    cpuMicros: [inFull.cost, inEmpty.cost],
  })
  await full.stop()
  await small.stop()
}

function createUpdateRequests(records: number, cookie: string): RequestFactory {
  return (turn, connection) =>
    buildRequest(
      'PATCH',
      paths.book(`record-${(turn * 31 + connection) % records}`),
      { cookie },
      employeeAt(turn),
    )
}
