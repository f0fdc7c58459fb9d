import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'

/**
 * The least that answers the same bytes with `node:http`: no session, no check, no headers but those of the body. Where
 * the list is unchanged, `/` is answered with these alone, every other path with all the headers that ours sends.
 */
const [listFile = '', databaseFile = '', headersText = ''] = process.argv.slice(2)
const list = readFileSync(listFile)
const unchangedHeaders = JSON.parse(headersText) as Record<string, string> & { etag: string }
const etag = unchangedHeaders.etag
const user = JSON.stringify({
  uid: 'x'.repeat(20),
  email: 'ada@example.com',
  createdAt: new Date(0).toISOString(),
})
const writer = new Worker(new URL('./bare-writer.ts', import.meta.url), { workerData: databaseFile })
const waiting: ServerResponse[] = []
let pendingInserts: unknown[] = []

writer.on('message', (ids: (number | bigint)[]) => {
  for (const id of ids) sendJson(waiting.shift() as ServerResponse, 201, JSON.stringify({ id: String(id) }))
})

function sendJson(response: ServerResponse, status: number, text: string) {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

function sendList(request: IncomingMessage, response: ServerResponse) {
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, request.url === '/' ? { etag } : unchangedHeaders).end()
    return
  }
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'content-length': list.length,
    etag,
  })
  response.end(list)
}

function insertRecord(request: IncomingMessage, response: ServerResponse) {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (piece) => {
    text += piece
  })
  request.on('end', () => {
    waiting.push(response)
    if (pendingInserts.push(JSON.parse(text)) === 1) {
      setImmediate(() => {
        writer.postMessage(pendingInserts)
        pendingInserts = []
      })
    }
  })
}

const server = createServer((request, response) => {
  if (request.method === 'POST') insertRecord(request, response)
  else if (request.url?.endsWith('session')) sendJson(response, 200, user)
  else sendList(request, response)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.once('SIGTERM', () => process.exit(0))
