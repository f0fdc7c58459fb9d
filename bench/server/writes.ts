import { paths } from '../../contract/protocol.ts'
import { printRow, round } from './figures.ts'
import { type MakeRequest, requestText } from './load.ts'
import { personOf } from './people.ts'
import { filledFolder, startBare, startOurs } from './servers.ts'
import { inTurns } from './turns.ts'

/** Durable writes against the bare group commit. */
export async function measureWrites() {
  const ours = await startOurs(await filledFolder(100))
  const doomed = await startOurs(await filledFolder(400_000))
  const bare = await startBare(ours.url, ours.cookie)
  let removed = 0
  const deleteNext = () => requestText('DELETE', paths.book(`record-${removed++}`), { cookie: doomed.cookie })
  const against = 'bare `node:http` and group commit in a worker'

  for (const [connections, wanted] of [
    [50, 0.5],
    [1, 0.7],
  ] as const) {
    const bareAdd = { ...bare, connections, request: () => requestText('POST', '/', {}, personOf(1)) }
    const kinds = {
      add: {
        ...ours,
        request: () => requestText('POST', paths.books, { cookie: ours.cookie }, personOf(1)),
      },
      update: { ...ours, request: updateOf(100, ours.cookie) },
      delete: { ...doomed, request: deleteNext },
    }
    for (const [name, kind] of Object.entries(kinds)) {
      const [our, other] = await inTurns({ connections, ...kind }, bareAdd)
      if (!our || !other) continue
      const { ratio } = our
      printRow({
        work: `durable ${name}, ${connections} connection${connections > 1 ? 's' : ''}`,
        ours: `${round(our.perSecond)}/s`,
        bare: `${round(other.perSecond)}/s`,
        against,
        ratio,
        wanted: `≥ ${wanted}`,
        reached: ratio >= wanted,
        costs: [our.cost, other.cost],
      })
    }
  }
  await bare.stop()
  await doomed.stop()

  await ours.stop()
}

/** A write with a full register against one with an empty one. Both servers are new, so that neither has been warmed up by more than the other. */
export async function measureGrowth() {
  const full = await startOurs(await filledFolder(100_000))
  const few = await startOurs(await filledFolder(100))
  const [inFull, inEmpty] = await inTurns(
    { ...full, connections: 50, request: updateOf(100, full.cookie) },
    { ...few, connections: 50, request: updateOf(100, few.cookie) },
  )
  if (!inFull || !inEmpty) return
  const { ratio } = inFull
  printRow({
    work: 'a write with 100,000 records, 50 connections',
    ours: `${round(inFull.perSecond)}/s`,
    bare: `${round(inEmpty.perSecond)}/s`,
    against: 'ours with 100 records',
    ratio,
    wanted: '≥ 0.9',
    reached: ratio >= 0.9,
    costs: [inFull.cost, inEmpty.cost],
  })
  await full.stop()
  await few.stop()
}

function updateOf(records: number, cookie: string): MakeRequest {
  return (turn, connection) =>
    requestText(
      'PATCH',
      paths.book(`record-${(turn * 31 + connection) % records}`),
      { cookie },
      personOf(turn),
    )
}
