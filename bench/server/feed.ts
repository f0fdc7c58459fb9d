import { once } from 'node:events'
import { connect } from 'node:net'
import { paths } from '../../contract/protocol.ts'
import { employeeAt } from './employees.ts'
import { buildRequest } from './load.ts'
import { formatNumber, median, printRow } from './report.ts'
import { createSeededFolder, startUnlimitedWithSession } from './servers.ts'

const changeCount = 40

/** From the moment a change is sent to the moment the median viewer has it, against the change's own answer. */
export async function measureFeed() {
  for (const viewers of [100, 1000]) await measureViewers(viewers)
}

export async function measureViewers(viewers: number) {
  const ours = await startUnlimitedWithSession(await createSeededFolder(100))
  const { hostname, port } = new URL(ours.url)
  const eventTimes: number[][] = []
  const watchRequest = buildRequest('GET', paths.changes, { cookie: ours.cookie })
  const sockets = await Promise.all(
    Array.from({ length: viewers }, async () => {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.write(watchRequest)
      await once(socket, 'data')
      socket.on('data', (bytes) => {
        if (bytes.includes('event: change')) eventTimes.at(-1)?.push(performance.now())
      })
      return socket
    }),
  )
  const writer = connect(Number(port), hostname).setNoDelay()
  await once(writer, 'connect')
  const answers: number[] = []
  const events: number[] = []
  for (let i = 0; i < changeCount; i++) {
    const times: number[] = []
    eventTimes.push(times)
    const sentAt = performance.now()
    writer.write(buildRequest('PATCH', paths.book('record-1'), { cookie: ours.cookie }, employeeAt(i)))
    await once(writer, 'data')
    answers.push(performance.now() - sentAt)
    while (times.length < viewers) await new Promise(setImmediate)
    events.push((times.sort((a, b) => a - b)[viewers >> 1] as number) - sentAt)
  }
  const ratio = median(events) / median(answers)
  printRow({
    label: `change to event, ${viewers.toLocaleString('en')} viewers, p50`,
    ours: `${formatNumber(median(events))} ms`,
    baseline: `${formatNumber(median(answers))} ms`,
    baselineName: "the write's own answer",
    ratio,
    wanted: '≤ 2',
    reached: ratio <= 2,
  })
  for (const socket of [...sockets, writer]) socket.destroy()
  await ours.stop()
}
