import { once } from 'node:events'
import { paths } from '../../contract/protocol.ts'
import { buildRequest, openSocket } from './load.ts'
import { median, printResult } from './report.ts'
import { createSeededFolder, employeeAt, startUnlimitedWithSession } from './servers.ts'

const changeCount = 40

/** The time from a write until the median viewer has its event, against the time until the writer has its response. */
export async function measureFeed() {
  for (const viewers of [100, 1000]) await measureViewers(viewers)
}

async function measureViewers(viewers: number) {
  const { url, cookie, stop } = await startUnlimitedWithSession(await createSeededFolder(100))
  let eventTimes: number[] = []
  const sockets = await Promise.all(
    Array.from({ length: viewers }, async () => {
      const socket = await openSocket(url)
      socket.write(buildRequest('GET', paths.changes, { cookie }))
      await once(socket, 'data')
      return socket.on('data', (bytes) => {
        if (bytes.includes('event: change')) eventTimes.push(performance.now())
      })
    }),
  )
  const writer = await openSocket(url)
  const responseMs: number[] = []
  const eventMs: number[] = []
  for (let i = 0; i < changeCount; i++) {
    eventTimes = []
    const sentAt = performance.now()
    writer.write(buildRequest('PATCH', paths.book('record-1'), { cookie }, employeeAt(i)))
    await once(writer, 'data')
    responseMs.push(performance.now() - sentAt)
    while (eventTimes.length < viewers) await new Promise(setImmediate)
    eventMs.push(median(eventTimes) - sentAt)
  }
  printResult({
    label: `change to event, ${viewers.toLocaleString('en')} viewers, p50`,
    ours: median(eventMs),
    reference: median(responseMs),
    referenceName: "the write's own response",
    unit: ' ms',
    atMost: 2,
  })
  for (const socket of [...sockets, writer]) socket.destroy()
  await stop()
}
