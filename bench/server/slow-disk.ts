import { paths } from '../../contract/protocol.ts'
import { createDisk } from '../../tests/faults/disk.ts'
import { printRow, round } from './figures.ts'
import { measure, requestText } from './load.ts'
import { personOf, startOurs } from './servers.ts'

const milliseconds = 3000

/** Every fsync takes 2 ms longer: 64 writers share it, and 2 readers do not wait for it. */
export async function measureSlowDisk() {
  if (process.platform !== 'linux') return
  const disk = createDisk()
  const ours = await startOurs(disk.folder, disk.environment())
  const { cookie } = ours
  const ids: string[] = []
  for (let i = 0; i < 100; i++) {
    const body = JSON.stringify(personOf(i))
    const headers = { cookie, 'content-type': 'application/json' }
    const response = await fetch(ours.url + paths.books, { method: 'POST', headers, body })
    ids.push(((await response.json()) as { id: string }).id)
  }
  disk.order('slow-sync 2000')
  const list = requestText('GET', paths.books, { cookie, 'accept-encoding': 'gzip' })
  const reading = { url: ours.url, connections: 2, request: () => list, milliseconds }
  const writing = {
    url: ours.url,
    connections: 64,
    request: (turn: number, connection: number) =>
      requestText('PATCH', paths.book(ids[connection] as string), { cookie }, personOf(turn)),
    milliseconds,
  }
  const idle = await measure(reading)
  const alone = await measure(writing)
  const [reads, writes] = await Promise.all([measure(reading), measure(writing)])
  printRow({
    work: 'fsync 2 ms slower: durable updates of 100 records, 64 writers and 2 readers',
    ours: `${round(writes.perSecond)}/s`,
    bare: `${round(alone.perSecond)}/s`,
    against: 'without the readers',
    ratio: writes.perSecond / alone.perSecond,
    wanted: '≥ 5,000/s',
    reached: writes.perSecond >= 5000,
  })
  printRow({
    work: 'fsync 2 ms slower: lists of these 100 beside them',
    ours: `${round(reads.perSecond)}/s`,
    bare: `${round(idle.perSecond)}/s`,
    against: 'without the writers',
    ratio: reads.perSecond / idle.perSecond,
    wanted: '≥ 0.7',
    reached: reads.perSecond / idle.perSecond >= 0.7,
  })
  const check = requestText('GET', paths.session, { cookie })
  const checking = { ...reading, request: () => check }
  const idleChecks = await measure(checking)
  const [checks] = await Promise.all([measure(checking), measure(writing)])
  printRow({
    work: 'fsync 2 ms slower: session checks beside them',
    ours: `${round(checks.perSecond)}/s`,
    bare: `${round(idleChecks.perSecond)}/s`,
    against: 'without the writers',
    ratio: checks.perSecond / idleChecks.perSecond,
    wanted: '≥ 0.7',
    reached: checks.perSecond / idleChecks.perSecond >= 0.7,
  })
  await ours.stop()
  disk.remove()
}
