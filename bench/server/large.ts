import { paths } from '../../contract/protocol.ts'
import { createSignedInClient } from '../../tests/support/http-client.ts'
import { employeeAt } from './employees.ts'
import { measureViewers } from './feed.ts'
import { buildRequest, runLoad } from './load.ts'
import { formatNumber } from './report.ts'
import { createSeededFolder, startWithNpmStart } from './servers.ts'

/** How the costs grow with the register and with its viewers. */
export async function measureLarge() {
  console.log(
    '\n| records | start, ms | resident, MB | list, gzip, MB | list first, ms | list again, ms | an update, µs |',
  )
  console.log('|---|---|---|---|---|---|---|')
  for (const records of [1000, 10_000, 100_000, 1_000_000]) await measureSize(records)
  console.log('')
  for (const viewers of [100, 1000, 5000, 10_000]) await measureViewers(viewers)
}

async function measureSize(records: number) {
  const folder = await createSeededFolder(records)
  const ours = await startWithNpmStart(folder)
  const resident = ours.residentMegabytes()
  const { cookie } = await createSignedInClient(ours.url)
  const list = async () => {
    const began = performance.now()
    const response = await fetch(ours.url + paths.books, { headers: { cookie } })
    const length = Number(response.headers.get('content-length'))
    await response.body?.cancel()
    return { milliseconds: performance.now() - began, length }
  }
  const [first, again] = [await list(), await list()]
  const update = await runLoad({
    ...ours,
    connections: 50,
    milliseconds: 3000,
    request: (turn, connection) =>
      buildRequest(
        'PATCH',
        paths.book(`record-${(turn * 31 + connection) % 1000}`),
        { cookie },
        employeeAt(turn),
      ),
  })
  const cells = [
    records.toLocaleString('en'),
    formatNumber(ours.firstAnswerMs),
    formatNumber(resident),
    formatNumber(first.length / 1024 / 1024),
    formatNumber(first.milliseconds),
    formatNumber(again.milliseconds),
    formatNumber(update.cost),
  ]
  console.log(`| ${cells.join(' | ')} |`)
  await ours.stop()
}
