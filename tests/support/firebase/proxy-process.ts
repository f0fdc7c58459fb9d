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
  const near = await proxy.listen()
  proxies.set(near, proxy)
  process.send?.(near)
})

function createProxy(to: number) {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer({ noDelay: true }, (near) => {
    if (isCut) return near.destroy()
    const far = createConnection({ port: to, host: '127.0.0.1', noDelay: true })
    near.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => near.write(bytes))
    track(near, far)
    track(far, near)
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
    silence() {
      for (const socket of sockets) socket.pause()
    },
    mend() {
      isCut = false
      for (const socket of sockets) socket.resume()
    },
  }
}
