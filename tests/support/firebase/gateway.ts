import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

interface GatewayResponse {
  status: number
  body: string
}

/**
 * An HTTP proxy for an emulator that can observe and replace responses. It listens on a port because the SDK captures
 * `fetch` when it is loaded, so tests can't replace it.
 */
export async function startGateway(port: number, transform: (response: GatewayResponse) => GatewayResponse) {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    const upstream = await fetch(`http://127.0.0.1:${port}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body ? { body } : {}),
    })
    const transformed = transform({ status: upstream.status, body: await upstream.text() })
    response.writeHead(transformed.status, { 'content-type': 'application/json' }).end(transformed.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
