import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Passes the body of a server's response on to the client, or not. */
export type Relay = (body: IncomingMessage, response: ServerResponse) => void

export type InterferingProxy = Awaited<ReturnType<typeof startInterferingProxy>>

/** A proxy in front of the server, where `relay` passes on the responses to requests for `path`. */
export async function startInterferingProxy(targetUrl: string, path: string) {
  const requestTimes: number[] = []
  let relay: Relay = (body, response) => void body.pipe(response)
  const proxy = createServer((incoming, response) => {
    const { method, url = '', headers } = incoming
    const isRelayed = method === 'GET' && url.split('?')[0] === path
    if (isRelayed) requestTimes.push(performance.now())
    const forwarded = request(targetUrl + url, { method, headers }, (upstream) => {
      response.writeHead(upstream.statusCode ?? 502, upstream.headers)
      if (isRelayed) relay(upstream, response)
      else upstream.pipe(response)
    })
    incoming.pipe(forwarded)
    response.on('close', () => forwarded.destroy())
    forwarded.on('error', () => response.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    /** Returns when each request for `path` arrived, in ms. */
    requestTimes,
    setRelay(newRelay: Relay) {
      relay = newRelay
    },
    close() {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}
