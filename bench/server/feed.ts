import { once } from 'node:events'
import { connect } from 'node:net'
import { paths } from '../../contract/protocol.ts'
import { median, printRow, round } from './figures.ts'
import { requestText } from './load.ts'
import { personOf } from './people.ts'
import { filledFolder, startOurs } from './servers.ts'

const changes = 40

/** From the moment a change is sent to the moment the median viewer has it, against the change's own answer. */
export async function measureFeed() {
  for (const viewers of [100, 1000]) await measureViewers(viewers)
}

export async function measureViewers(viewers: number) {
  const ours = await startOurs(await filledFolder(100))
  const { hostname, port } = new URL(ours.url)
  const heard: number[][] = []
  const watch = requestText('GET', paths.changes, { cookie: ours.cookie })
  const sockets = await Promise.all(
    Array.from({ length: viewers }, async () => {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.write(watch)
      await once(socket, 'data')
      socket.on('data', (bytes) => {
        if (bytes.includes('event: change')) heard.at(-1)?.push(performance.now())
      })
      return socket
    }),
  )
  const writer = connect(Number(port), hostname).setNoDelay()
  await once(writer, 'connect')
  const answers: number[] = []
  const events: number[] = []
  for (let i = 0; i < changes; i++) {
    const times: number[] = []
    heard.push(times)
    const sent = performance.now()
    writer.write(requestText('PATCH', paths.book('record-1'), { cookie: ours.cookie }, personOf(i)))
    await once(writer, 'data')
    answers.push(performance.now() - sent)
    while (times.length < viewers) await new Promise(setImmediate)
    events.push((times.sort((a, b) => a - b)[viewers >> 1] as number) - sent)
  }
  const ratio = median(events) / median(answers)
  printRow({
    work: `change to event, ${viewers.toLocaleString('en')} viewers, p50`,
    ours: `${round(median(events))} ms`,
    bare: `${round(median(answers))} ms`,
    against: "the write's own answer",
    ratio,
    wanted: '≤ 2',
    reached: ratio <= 2,
  })
  for (const socket of [...sockets, writer]) socket.destroy()
  await ours.stop()
}
