import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metrics } from './metrics.ts'

export interface Address {
  host: string
  port: number
}

/** Serves `GET /metrics` on an address of its own. Does not keep the process alive. Resolves with its URL. */
export async function serveMetrics(metrics: Metrics, { host, port }: Address): Promise<string> {
  const server = createServer(({ method, url }, response) => {
    if (method !== 'GET' || url !== '/metrics') return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
    return response.end(metrics.render())
  })
  server.listen(port, host).unref()
  await once(server, 'listening')
  const { port: actualPort } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}/metrics`
}
