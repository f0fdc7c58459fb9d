import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

interface GatewayResponse {
  status: number
  body: string
}

/**
 * Stands before an emulator: sees every answer, and may give another one in its place. On a port of the loopback,
 * because the SDK takes hold of `fetch` when it is loaded.
 */
export async function startGateway(port: number, transform: (answer: GatewayResponse) => GatewayResponse) {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    const answer = await fetch(`http://127.0.0.1:${port}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body ? { body } : {}),
    })
    const transformed = transform({ status: answer.status, body: await answer.text() })
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
