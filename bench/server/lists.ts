import { paths } from '../../contract/protocol.ts'
import { printRow, round } from './figures.ts'
import { requestText } from './load.ts'
import { personOf } from './people.ts'
import { filledFolder, startBare, startOurs } from './servers.ts'
import { inTurns } from './turns.ts'

const records = 10_000

/** The list of 10,000 records: whole, unchanged, and while others write. */
export async function measureLists() {
  const ours = await startOurs(await filledFolder(records))
  const bare = await startBare(ours.url, ours.cookie)
  const asking = { cookie: ours.cookie, 'accept-encoding': 'gzip' }
  const list = requestText('GET', paths.books, asking)
  const row = async (
    work: string,
    wanted: number | undefined,
    connections: number,
    ourRequest: typeof makeList,
    bareRequest = ourRequest,
    against = 'bare `node:http`, the same bytes',
  ) => {
    const [our, other] = await inTurns(
      { ...ours, connections, request: ourRequest },
      { ...bare, connections, request: bareRequest },
    )
    if (!our || !other) return
    const { ratio } = our
    printRow({
      work,
      ours: `${round(our.perSecond)}/s`,
      bare: `${round(other.perSecond)}/s`,
      against,
      ratio,
      ...(wanted === undefined ? {} : { wanted: `≥ ${wanted}`, reached: ratio >= wanted }),
      costs: [our.cost, other.cost],
    })
  }
  const makeList = (_turn: number, _connection: number) => list
  await row('list 10,000, gzip, 1 connection', 0.9, 1, makeList)
  await row('list 10,000, gzip, 50 connections', 0.9, 50, makeList)

  const response = await fetch(ours.url + paths.books, { method: 'HEAD', headers: asking })
  const tag = { 'if-none-match': String(response.headers.get('etag')) }
  const unchanged = requestText('GET', paths.books, { ...asking, ...tag })
  const short = requestText('GET', '/', tag)
  for (const connections of [1, 50]) {
    const work = `list unchanged (304), ${connections} connection${connections > 1 ? 's' : ''}`
    await row(work, 0.9, connections, () => unchanged)
    const against = 'bare `node:http`, asked for less and with two headers'
    await row(
      work,
      undefined,
      connections,
      () => unchanged,
      () => short,
      against,
    )
  }

  const mixed = (turn: number, connection: number) => {
    if ((turn + connection) % 10 !== 0) return list
    const i = (turn * 31 + connection * 997) % records
    return requestText('PATCH', paths.book(`record-${i}`), { cookie: ours.cookie }, personOf(turn))
  }
  await row('list while 10 % are writes, 50 connections', 0.5, 50, mixed, makeList)
  await ours.stop()
  await bare.stop()
}
