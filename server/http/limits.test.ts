import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../testing.ts'

let server: TestServer
const open: Socket[] = []

afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  await server.stop()
})

async function start(connectionLimits: TestServerOptions['connectionLimits']) {
  server = await startTestServer({ connectionLimits: { lookEvery: 50, ...connectionLimits } })
}

/** A line to the server; `answer` resolves with all that came on it, once it is closed from the other side. */
function dial(first: string) {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.write(first)
  open.push(socket)
  let heard = ''
  socket.on('data', (bytes) => {
    heard += bytes
  })
  // Who is cut off while writing hears of it as an error.
  socket.on('error', () => {})
  return { socket, heard: () => heard, answer: once(socket, 'close').then(() => heard) }
}

const whole = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
const late =
  /^HTTP\/1\.1 408 [\s\S]*"code":"invalid-request","message":"The request took too long to arrive\."/

it('issue 3, security: headers that do not come in time are 408, however busily they trickle', async () => {
  await start({ headersArrival: 300 })
  const { socket, answer } = dial('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
  const trickle = setInterval(() => socket.write('x'), 20)
  expect(await answer).toMatch(late)
  clearInterval(trickle)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})

it('issue 3, security: a body that does not come in time is 408, however busily it trickles', async () => {
  await start({ arrival: 300 })
  const { socket, answer } = dial(
    `POST ${paths.session} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
  )
  const trickle = setInterval(() => socket.write(' '), 20)
  expect(await answer).toMatch(late)
  clearInterval(trickle)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})

it('issue 3, durability: who has dialled and says nothing does not keep the server from stopping', async () => {
  await start({})
  const { answer } = dial('')
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  await server.restart()
  expect(await answer).toBe('')
})

it('issue 3, security: one connection too many is closed without a word, and let in once there is room', async () => {
  await start({ connections: 3 })
  const served = [dial(whole), dial(whole), dial(whole)]
  for (const { heard } of served) await expect.poll(heard).toMatch(/^HTTP\/1\.1 200 /)
  expect(await dial(whole).answer).toBe('')
  served[0]?.socket.destroy()
  await expect
    .poll(async () => {
      const { socket, heard, answer } = dial(whole)
      await Promise.race([answer, once(socket, 'data')])
      return heard()
    })
    .toMatch(/^HTTP\/1\.1 200 /)
})
