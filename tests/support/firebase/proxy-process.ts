import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'
import type { Question } from './proxies.ts'

const lines = new Map<number, ReturnType<typeof createLine>>()

process.on('disconnect', () => process.exit())
process.on('message', async ({ ask, port }: Question) => {
  if (ask !== 'open') {
    lines.get(port)?.[ask]()
    return process.send?.(port)
  }
  const line = createLine(port)
  const near = await line.listen()
  lines.set(near, line)
  process.send?.(near)
})

function createLine(to: number) {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer({ noDelay: true }, (near) => {
    if (isCut) return near.destroy()
    const far = createConnection({ port: to, host: '127.0.0.1', noDelay: true })
    near.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => near.write(bytes))
    hold(near, far)
    hold(far, near)
  })

  function hold(socket: Socket, other: Socket) {
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
