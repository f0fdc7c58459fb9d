import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { connectProject } from './project.ts'

it('does not follow redirects, so that passwords and tokens go to Firebase only', async () => {
  const received: string[] = []
  const elsewhere = await listen((request, response) => {
    received.push(request.url ?? '')
    response.end('{}')
  })
  const here = await listen((_request, response) => {
    response.writeHead(307, { location: `http://${elsewhere.host}/stolen` }).end()
  })
  const emulators = { auth: here.host, firestore: here.host }
  const project = connectProject({ apiKey: 'key', projectId: 'demo-staffbook', emulators })
  const password = { email: 'ada@example.com', password: 'analytical engine' }
  await expect(project.auth('accounts:signInWithPassword', password)).rejects.toThrow("can't be reached")
  await expect(project.firestore('commit', {}, 'a token')).rejects.toThrow("can't be reached")
  expect(received).toEqual([])
  await Promise.all([here.stop(), elsewhere.stop()])
})

async function listen(handler: RequestListener) {
  const server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
