import { paths } from '../../contract/protocol.ts'
import { createFaultyDisk } from '../../tests/support/faults/disk.ts'
import { employeeAt } from './employees.ts'
import { buildRequest, runLoad } from './load.ts'
import { formatNumber, median, printRow } from './report.ts'
import { startUnlimitedWithSession } from './servers.ts'
import { startUpdateProcess } from './updates.ts'

const rounds = 9
const milliseconds = 1000
/** Durable writes a second that are wanted. */
const targetWritesPerSecond = 5000

/** Every fsync takes 2 ms longer: 64 writers share it, and 2 readers do not wait for it. */
export async function measureSlowDisk() {
  if (process.platform !== 'linux') return
  const disk = createFaultyDisk()
  const ours = await startUnlimitedWithSession(disk.folder, disk.environment())
  const { url, cookie } = ours
  const ids: string[] = []
  for (let i = 0; i < 100; i++) {
    const body = JSON.stringify(employeeAt(i))
    const headers = { cookie, 'content-type': 'application/json' }
    const response = await fetch(url + paths.books, { method: 'POST', headers, body })
    ids.push(((await response.json()) as { id: string }).id)
  }
  disk.order('slow-sync 2000')
  const updating = startUpdateProcess()
  const list = buildRequest('GET', paths.books, { cookie, 'accept-encoding': 'gzip' })
  const check = buildRequest('GET', paths.session, { cookie })
  const lists = await measureReadsWithWriters(list, Number.POSITIVE_INFINITY)
  const wantedLists = await measureReadsWithWriters(list, targetWritesPerSecond * 1.05)
  const checks = await measureReadsWithWriters(check, Number.POSITIVE_INFINITY)
  updating.stop()

  const [writes, alone] = [median(lists.map(({ writes }) => writes)), median(lists.map(({ alone }) => alone))]
  printRow({
    label: 'fsync 2 ms slower: durable updates of 100 records, 64 writers and 2 readers',
    ours: `${formatNumber(writes)}/s`,
    baseline: `${formatNumber(alone)}/s`,
    baselineName: 'without the readers',
    ratio: writes / alone,
    wanted: `≥ ${formatNumber(targetWritesPerSecond)}/s`,
    reached: writes >= targetWritesPerSecond,
  })
  for (const [work, measured, wanted] of [
    ['lists of these 100', wantedLists, 0.7],
    ['lists of these 100, as many updates as go in', lists, undefined],
    ['session checks, as many updates as go in', checks, undefined],
  ] as const) {
    const ratio = median(measured.map(({ reads, idle }) => reads / idle))
    printRow({
      label: `fsync 2 ms slower: ${work}, beside ${formatNumber(median(measured.map(({ writes }) => writes)))} updates a second`,
      ours: `${formatNumber(median(measured.map(({ reads }) => reads)))}/s`,
      baseline: `${formatNumber(median(measured.map(({ idle }) => idle)))}/s`,
      baselineName: 'without the writers',
      ratio,
      ...(wanted === undefined ? {} : { wanted: `≥ ${wanted}`, reached: ratio >= wanted }),
    })
  }
  await ours.stop()
  disk.remove()

  /** Requests a second: of readers and of writers, each alone and both at once, in turn; of writers, no more than `atMost`. */
  async function measureReadsWithWriters(read: Buffer, atMost: number) {
    const reading = { url, connections: 2, request: () => read, milliseconds }
    const writing = { url, cookie, ids, milliseconds, atMost }
    const measured: { idle: number; alone: number; reads: number; writes: number }[] = []
    await Promise.all([runLoad(reading), updating.measure(writing)])
    for (let round = 0; round < rounds; round++) {
      const idle = await runLoad(reading)
      const alone = await updating.measure(writing)
      const [reads, writes] = await Promise.all([runLoad(reading), updating.measure(writing)])
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
