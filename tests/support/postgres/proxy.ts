import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial } from 'node:net'

/** A way to the database of an address that can be cut: its own address, and the knife. */
export async function startFaultProxy(url: string) {
  const { hostname, port } = new URL(url)
  let cutAfter: string | undefined
  let stall: { trigger: string; onStalled: () => void } | undefined
  const server = createServer((client) => {
    const upstream = dial(Number(port), hostname)
    client.on('error', () => {}).on('close', () => upstream.end())
    upstream.on('error', () => {}).on('close', () => client.destroy())
    upstream.pipe(client)
    client.on('data', (bytes) => {
      if (stall && bytes.includes(stall.trigger)) {
        upstream.unpipe(client).pause()
        stall.onStalled()
      }
      upstream.write(bytes)
      if (cutAfter === undefined || !bytes.includes(cutAfter)) return
      cutAfter = undefined
      client.destroy()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const proxyUrl = new URL(url)
  proxyUrl.port = String((server.address() as AddressInfo).port)
  return {
    url: proxyUrl.href,
    /** Once this word has gone to the database, no answer comes back. */
    cutAfter(text: string) {
      cutAfter = text
    },
    /** A connection on which this word goes to the database hears nothing more, and does not end; resolves then. */
    stallAfter: (after: string) =>
      new Promise<void>((fallen) => {
        stall = { trigger: after, onStalled: fallen }
      }),
    close: () => server.close(),
  }
}
