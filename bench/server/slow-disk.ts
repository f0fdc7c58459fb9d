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
  for (let i = 0; i < 100; i++) {
    const body = JSON.stringify(personOf(i))
    await fetch(ours.url + paths.books, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body,
    })
  }
  disk.order('slow-sync 2000')
  const list = requestText('GET', paths.books, { cookie, 'accept-encoding': 'gzip' })
  const reading = { url: ours.url, connections: 2, request: () => list, milliseconds }
  const writing = {
    url: ours.url,
    connections: 64,
    request: (turn: number) => requestText('POST', paths.books, { cookie }, personOf(turn)),
    milliseconds,
  }
  const idle = await measure(reading)
  const alone = await measure(writing)
  const [reads, writes] = await Promise.all([measure(reading), measure(writing)])
  printRow({
    work: 'fsync 2 ms slower: durable adds, 64 writers and 2 readers',
    ours: `${round(writes.perSecond)}/s`,
    bare: `${round(alone.perSecond)}/s`,
    against: 'without the readers',
    ratio: writes.perSecond / alone.perSecond,
    wanted: '≥ 5,000/s',
    reached: writes.perSecond >= 5000,
  })
  printRow({
    work: 'fsync 2 ms slower: reads beside them',
    ours: `${round(reads.perSecond)}/s`,
    bare: `${round(idle.perSecond)}/s`,
    against: 'without the writers',
    ratio: reads.perSecond / idle.perSecond,
    wanted: '≥ 0.7',
    reached: reads.perSecond / idle.perSecond >= 0.7,
  })
  await ours.stop()
  disk.remove()
}
