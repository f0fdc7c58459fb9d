import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'

// A TCP proxy that delays every packet. Arguments: port of the database, delay of one direction in milliseconds.
const [port, delayMs] = process.argv.slice(2).map(Number) as [number, number]

/** Packets in the order in which they are due. Timers have a resolution of 1 ms, so it turns the event loop instead. */
const packets: { dueAt: number; to: Socket; bytes: Buffer }[] = []

function forwardDue() {
  while (packets[0] && packets[0].dueAt <= performance.now()) {
    const { to, bytes } = packets.shift() as (typeof packets)[0]
    to.write(bytes)
  }
  if (packets.length > 0) setImmediate(forwardDue)
}

function delay(from: Socket, to: Socket) {
  from.setNoDelay(true).on('error', () => {})
  from.on('data', (bytes) => {
    if (packets.push({ dueAt: performance.now() + delayMs, to, bytes }) === 1) setImmediate(forwardDue)
  })
  from.on('close', () => to.end())
}

const server = createServer((client) => {
  const upstream = dial(port, '127.0.0.1')
  delay(client, upstream)
  delay(upstream, client)
})
await once(server.listen(0, '127.0.0.1'), 'listening')
process.send?.((server.address() as { port: number }).port)
