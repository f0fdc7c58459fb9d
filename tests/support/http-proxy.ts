import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { cleanUpAfterTest } from './cleanup.ts'
import { listenLocally } from './listen.ts'

/** Passes the body of a server's response on to the client, or not. */
export type Relay = (body: IncomingMessage, response: ServerResponse, request: IncomingMessage) => void

/**
 * A proxy that forwards each request, unless `answer` returns true: then it has responded, or nobody does. Playwright's tests
 * have to close it.
 */
export async function startHttpProxy(
  targetUrl: string,
  answer: (body: Buffer, response: ServerResponse) => boolean,
  relay: Relay = (body, response) => void body.pipe(response),
) {
  const server = createServer(async (incoming, response) => {
    const { method, url = '', headers } = incoming
    const body = await buffer(incoming)
    if (answer(body, response)) return
    const forwarded = request(targetUrl + url, { method, headers }, (upstream) => {
      relay(upstream, response.writeHead(upstream.statusCode ?? 502, upstream.headers), incoming)
    })
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    forwarded.end(body)
  })
  async function close() {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  const url = `http://127.0.0.1:${await listenLocally(server)}`
  cleanUpAfterTest(close)
  return { url, close }
}
