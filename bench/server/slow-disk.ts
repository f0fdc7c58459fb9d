import { paths } from '../../contract/protocol.ts'
import { createDisk } from '../../tests/support/faults/disk.ts'
import { median, printRow, round } from './figures.ts'
import { measure, requestText } from './load.ts'
import { personOf } from './people.ts'
import { startOurs } from './servers.ts'
import { startUpdating } from './updates.ts'

const rounds = 9
const milliseconds = 1000
/** Durable writes a second that are wanted. */
const wantedWrites = 5000

/** Every fsync takes 2 ms longer: 64 writers share it, and 2 readers do not wait for it. */
export async function measureSlowDisk() {
  if (process.platform !== 'linux') return
  const disk = createDisk()
  const ours = await startOurs(disk.folder, disk.environment())
  const { url, cookie } = ours
  const ids: string[] = []
  for (let i = 0; i < 100; i++) {
    const body = JSON.stringify(personOf(i))
    const headers = { cookie, 'content-type': 'application/json' }
    const response = await fetch(url + paths.books, { method: 'POST', headers, body })
    ids.push(((await response.json()) as { id: string }).id)
  }
  disk.order('slow-sync 2000')
  const updating = startUpdating()
  const list = requestText('GET', paths.books, { cookie, 'accept-encoding': 'gzip' })
  const check = requestText('GET', paths.session, { cookie })
  const lists = await besideWriters(list, Number.POSITIVE_INFINITY)
  const wantedLists = await besideWriters(list, wantedWrites * 1.05)
  const checks = await besideWriters(check, Number.POSITIVE_INFINITY)
  updating.stop()

  const [writes, alone] = [median(lists.map(({ writes }) => writes)), median(lists.map(({ alone }) => alone))]
  printRow({
    work: 'fsync 2 ms slower: durable updates of 100 records, 64 writers and 2 readers',
    ours: `${round(writes)}/s`,
    bare: `${round(alone)}/s`,
    against: 'without the readers',
    ratio: writes / alone,
    wanted: `≥ ${round(wantedWrites)}/s`,
    reached: writes >= wantedWrites,
  })
  for (const [work, measured, wanted] of [
    ['lists of these 100', wantedLists, 0.7],
    ['lists of these 100, as many updates as go in', lists, undefined],
    ['session checks, as many updates as go in', checks, undefined],
  ] as const) {
    const ratio = median(measured.map(({ reads, idle }) => reads / idle))
    printRow({
      work: `fsync 2 ms slower: ${work}, beside ${round(median(measured.map(({ writes }) => writes)))} updates a second`,
      ours: `${round(median(measured.map(({ reads }) => reads)))}/s`,
      bare: `${round(median(measured.map(({ idle }) => idle)))}/s`,
      against: 'without the writers',
      ratio,
      ...(wanted === undefined ? {} : { wanted: `≥ ${wanted}`, reached: ratio >= wanted }),
    })
  }
  await ours.stop()
  disk.remove()

  /** Requests a second: of readers and of writers, each alone and both at once, in turn; of writers, no more than `atMost`. */
  async function besideWriters(read: Buffer, atMost: number) {
    const reading = { url, connections: 2, request: () => read, milliseconds }
    const writing = { url, cookie, ids, milliseconds, atMost }
    const measured: { idle: number; alone: number; reads: number; writes: number }[] = []
    await Promise.all([measure(reading), updating.measure(writing)])
    for (let round = 0; round < rounds; round++) {
      const idle = await measure(reading)
      const alone = await updating.measure(writing)
      const [reads, writes] = await Promise.all([measure(reading), updating.measure(writing)])
      measured.push({
        idle: idle.perSecond,
        alone: alone.perSecond,
        reads: reads.perSecond,
        writes: writes.perSecond,
      })
    }
    return measured
  }
}
