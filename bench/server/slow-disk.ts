import { fork } from 'node:child_process'
import { once } from 'node:events'
import { paths } from '../../contract/protocol.ts'
import { createFaultyDisk } from '../../tests/support/faults/disk.ts'
import { createSignedInClient } from '../../tests/support/http-client.ts'
import { median } from '../statistics.ts'
import { buildRequest, runLoad } from './load.ts'
import type { UpdateOrder } from './programs/update-process.ts'
import { formatNumber, reportResult } from './report.ts'
import { employeeAt, startWithSession } from './servers.ts'

const rounds = 9
const milliseconds = 1000
const targetWritesPerSecond = 5000

/** Makes fsync 2 ms slower: 64 writers share each fsync, and 2 readers do not wait for it. Linux only. */
export async function measureSlowDisk() {
  if (process.platform !== 'linux') return
  const disk = createFaultyDisk()
  const { url, cookie, stop } = await startWithSession(disk.folder, disk.environment())
  const client = await createSignedInClient(url)
  const ids: string[] = []
  for (let i = 0; i < 100; i++) ids.push((await client.add(employeeAt(i))).body.id)
  disk.order('slow-sync 2000')
  const updates = fork(new URL('./programs/update-process.ts', import.meta.url))

  async function measureUpdates(order: Omit<UpdateOrder, 'url' | 'cookie' | 'ids' | 'milliseconds'>) {
    updates.send({ url, cookie, ids, milliseconds, ...order } satisfies UpdateOrder)
    return Number((await once(updates, 'message'))[0])
  }

  /** Rates of readers and writers, each without the others and both together. */
  async function measureReadsAndUpdates(read: Buffer, maxPerSecond = 1e9) {
    const measureReads = async () =>
      (await runLoad({ url, connections: 2, request: () => read, milliseconds })).perSecond
    const measured: { readsOnly: number; updatesOnly: number; reads: number; updates: number }[] = []
    await Promise.all([measureReads(), measureUpdates({ maxPerSecond })])
    for (let round = 0; round < rounds; round++) {
      const readsOnly = await measureReads()
      const updatesOnly = await measureUpdates({ maxPerSecond })
      const [reads, updates] = await Promise.all([measureReads(), measureUpdates({ maxPerSecond })])
      measured.push({ readsOnly, updatesOnly, reads, updates })
    }
    return (key: keyof (typeof measured)[0]) => median(measured.map((round) => round[key]))
  }

  const list = buildRequest('GET', paths.books, { cookie, 'accept-encoding': 'gzip' })
  const check = buildRequest('GET', paths.session, { cookie })
  const lists = await measureReadsAndUpdates(list)
  const limitedLists = await measureReadsAndUpdates(list, targetWritesPerSecond * 1.05)
  const checks = await measureReadsAndUpdates(check)
  updates.disconnect()
  reportResult({
    label: 'fsync 2 ms slower: durable updates of 100 records, 64 writers and 2 readers',
    ours: lists('updates'),
    reference: lists('updatesOnly'),
    referenceName: 'without the readers',
    limit: {
      text: `≥ ${formatNumber(targetWritesPerSecond)}/s`,
      isMet: lists('updates') >= targetWritesPerSecond,
    },
  })
  for (const [work, medianOf, limits] of [
    ['lists of these 100', limitedLists, { atLeast: 0.7 }],
    ['lists of these 100, unlimited updates', lists, {}],
    ['session checks, unlimited updates', checks, {}],
  ] as const) {
    reportResult({
      label: `fsync 2 ms slower: ${work} during ${formatNumber(medianOf('updates'))} updates a second`,
      ours: medianOf('reads'),
      reference: medianOf('readsOnly'),
      referenceName: 'without the writers',
      ...limits,
    })
  }
  await stop()
  disk.remove()
}
