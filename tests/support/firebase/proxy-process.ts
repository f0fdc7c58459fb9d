import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'
import type { ProxyCommand } from './proxies.ts'

const proxies = new Map<number, ReturnType<typeof createProxy>>()

process.on('disconnect', () => process.exit())
process.on('message', async ({ action, port }: ProxyCommand) => {
  if (action !== 'open') {
    proxies.get(port)?.[action]()
    return process.send?.(port)
  }
  const proxy = createProxy(port)
  const proxyPort = await proxy.listen()
  proxies.set(proxyPort, proxy)
  process.send?.(proxyPort)
})

function createProxy(targetPort: number) {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer({ noDelay: true }, (client) => {
    if (isCut) return client.destroy()
    const target = createConnection({ port: targetPort, host: '127.0.0.1', noDelay: true })
    client.on('data', (bytes) => target.write(bytes))
    target.on('data', (bytes) => client.write(bytes))
    track(client, target)
    track(target, client)
  })

  function track(socket: Socket, other: Socket) {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      other.destroy()
    })
  }

  return {
    async listen(): Promise<number> {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const address = server.address()
      return typeof address === 'object' && address ? address.port : 0
    },
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    stall() {
      for (const socket of sockets) socket.pause()
    },
    restore() {
      isCut = false
      for (const socket of sockets) socket.resume()
    },
  }
}
