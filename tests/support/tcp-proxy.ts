import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { listenLocally } from './listen.ts'

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>

/**
 * Starts a proxy in front of a local port that can break its connections like a cut cable. `upload` and `download` create a
 * filter for what a connection sends and receives.
 */
export async function startTcpProxy(targetPort: number, upload?: () => Duplex, download?: () => Duplex) {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer({ noDelay: true }, (client) => {
    if (isCut) return client.destroy()
    const target = dial({ port: targetPort, host: '127.0.0.1', noDelay: true })
    relay(client, target, upload)
    relay(target, client, download)
  })

  function relay(from: Socket, to: Socket, createFilter?: () => Duplex) {
    if (createFilter) from.pipe(createFilter()).pipe(to)
    // Not a pipe, which would resume a stalled connection.
    else from.on('data', (bytes) => to.write(bytes))
    sockets.add(from)
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }

  const proxy = {
    port: await listenLocally(server),
    /** Breaks open connections, and refuses new ones until `restore`. */
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    /** Keeps the connections open, but transfers no data until `restore`. */
    stall() {
      for (const socket of sockets) socket.pause()
    },
    restore() {
      isCut = false
      for (const socket of sockets) socket.resume()
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      proxy.cut()
      await closed
    },
  }
  return proxy
}
