import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'

// A minimal `node:http` server that sends the same bytes: no session, no checks, no headers except those of the body. An
// unchanged list has only an ETag at `/`, and all headers of our server at every other path. Viewers receive each insert
// after its response.
const [listFile = '', databaseFile = '', headersText = ''] = process.argv.slice(2)
const list = readFileSync(listFile)
const unchangedHeaders = JSON.parse(headersText) as Record<string, string> & { etag: string }
const { etag } = unchangedHeaders
const createdAt = new Date(0).toISOString()
const user = JSON.stringify({ uid: 'x'.repeat(20), email: 'ada@example.com', createdAt })
const writer = new Worker(new URL('./bare-writer.ts', import.meta.url), { workerData: databaseFile })
const waiting: ServerResponse[] = []
let pendingInserts: unknown[] = []
const viewers: ServerResponse[] = []
/** Has the length of the event of a change. */
const event = `event: change\ndata: ${'x'.repeat(190)}\n\n`

writer.on('message', (ids: (number | bigint)[]) => {
  for (const id of ids) sendJson(waiting.shift() as ServerResponse, 201, JSON.stringify({ id: String(id) }))
  for (const viewer of viewers) viewer.write(event)
})

function sendJson(response: ServerResponse, status: number, body: string) {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  response.writeHead(status, headers).end(body)
}

function sendList(request: IncomingMessage, response: ServerResponse) {
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, request.url === '/' ? { etag } : unchangedHeaders).end()
    return
  }
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', etag }
  response.writeHead(200, { ...headers, 'content-length': list.length }).end(list)
}

function openStream(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
  viewers.push(response)
}

function insertRecord(request: IncomingMessage, response: ServerResponse) {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    waiting.push(response)
    if (pendingInserts.push(JSON.parse(body)) > 1) return
    setImmediate(() => {
      writer.postMessage(pendingInserts)
      pendingInserts = []
    })
  })
}

const server = createServer((request, response) => {
  if (request.method === 'POST') insertRecord(request, response)
  else if (request.url?.endsWith('session')) sendJson(response, 200, user)
  else if (request.url?.endsWith('changes')) openStream(response)
  else sendList(request, response)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.once('SIGTERM', () => process.exit(0))
