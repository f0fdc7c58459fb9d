import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFolder } from '../support/cleanup.ts'
import { spawnServer } from '../support/faults/server-process.ts'
import { unlimitedMain } from '../support/faults/unlimited-server.ts'

it('without file descriptors, open connections still get the page', async () => {
  const home = createFolder({ 'dist/index.html': '<title>page</title>' })
  const command = ['sh', '-c', 'ulimit -n 100; exec "$@"', 'sh', process.execPath, unlimitedMain]
  const server = await spawnServer(command, { DATA_DIR: home, PAGE: join(home, 'dist') })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const getPage = async (path: string) => {
    const sending = request(`${server.url}${path}`, { agent, headers: { accept: 'text/html' } }).end()
    const [response] = await once(sending, 'response')
    const text = Buffer.concat(await response.toArray()).toString()
    return [response.statusCode, response.headers['content-type'], text]
  }
  const expected = [200, 'text/html; charset=utf-8', '<title>page</title>']
  expect(await getPage('/')).toEqual(expected)
  const { hostname, port } = new URL(server.url)
  const sockets: Socket[] = Array.from({ length: 120 }, () => connect(Number(port), hostname))
  let closed = 0
  for (const socket of sockets) socket.on('error', () => {}).on('close', () => closed++)
  await expect.poll(() => closed).toBeGreaterThan(0)
  for (const path of ['/', '/form', '/signin']) expect(await getPage(path)).toEqual(expected)
  for (const socket of sockets) socket.destroy()
  agent.destroy()
})
