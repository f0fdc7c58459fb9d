import { once } from 'node:events'
import { type Agent, request } from 'node:http'
import { connect } from 'node:net'
import { cleanUpAfterTest } from './cleanup.ts'
import { rememberRequest } from './recent-requests.ts'

/** Opens a connection and sends the text as it is. `response` resolves with everything received once the server closes it. */
export function openConnection(url: string, text: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  cleanUpAfterTest(() => socket.destroy())
  let received = ''
  // The server may reset the connection.
  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    received += bytes
  })
  const response = new Promise<string>((resolve) => socket.once('close', () => resolve(received)))
  const sent = new Promise<void>((resolve) => socket.write(text, () => resolve()))
  return { socket, received: () => received, response, sent }
}

/** The beginning of a request, up to its body. */
export function formatHead(method: string, path: string, headers: Record<string, string | number> = {}) {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}

/** Unlike fetch, sends the path and every header unchanged, and does not decompress the response. */
export async function sendRequest(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string | Buffer,
  agent: Agent | false = false,
) {
  const { hostname, port } = new URL(url)
  const sent = request({ hostname, port, method, path, headers, agent }).end(body)
  const [response] = await once(sent, 'response')
  const bytes = Buffer.concat(await response.toArray())
  rememberRequest(method, path, response.statusCode, bytes.toString())
  return {
    status: response.statusCode as number,
    headers: response.headers as Record<string, unknown>,
    bytes,
    body: bytes.toString(),
  }
}
