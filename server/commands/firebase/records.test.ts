import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCommand } from '../../../tests/support/faults/command-line.ts'
import { demoKey } from '../../../tests/support/firebase/demo-key.ts'

const database = 'projects/demo-staffbook/databases/(default)'
const password = 'analytical engine'

const documents = Array.from({ length: 2_500 }, (_, i) => ({
  name: `${database}/documents/books/${String(i).padStart(20, '0')}`,
  fields: {
    eName: { stringValue: `Person ${i}` },
    email: { stringValue: `person${i}@example.com` },
    password: { stringValue: `secret ${i}` },
  },
}))

type Query = { limit: number; startAt?: { values: [{ referenceValue: string }]; before: boolean } }

/** Answers a query as Firestore's REST interface does: an array, whose last element may be an error. */
function findPage({ limit, startAt }: Query) {
  const first = startAt ? documents.findIndex(({ name }) => name === startAt.values[0].referenceValue) + 1 : 0
  return documents
    .slice(first, first + limit)
    .map((document) => ({ document, readTime: '2026-01-01T00:00:00Z' }))
}

describe('an export from Firebase', () => {
  let home: string
  let count: number
  let sendPage: (response: ServerResponse, page: object[], pageNumber: number) => void
  let environment: Record<string, string>
  let queries: Query[]

  const server = createServer(async (request, response) => {
    const body = (await json(request)) as { structuredQuery: Query }
    const send = (content: object) => response.end(JSON.stringify(content))
    if (request.url?.endsWith(':runAggregationQuery'))
      return send([{ result: { aggregateFields: { count: { integerValue: String(count) } } } }])
    if (!request.url?.endsWith(':runQuery')) return send({ idToken: 'a token' })
    queries.push(body.structuredQuery)
    return sendPage(response, findPage(body.structuredQuery), queries.length)
  })

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'staffbook-export-'))
    count = documents.length
    queries = []
    sendPage = (response, page) => response.end(JSON.stringify(page))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    environment = {
      VITE_FIREBASE_API_KEY: demoKey,
      VITE_FIREBASE_PROJECT_ID: 'demo-staffbook',
      VITE_FIREBASE_AUTH_EMULATOR: host,
      VITE_FIREBASE_FIRESTORE_EMULATOR: host,
    }
  })
  afterEach(async () => {
    rmSync(home, { recursive: true })
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  const exportRecords = () =>
    runCommand(['firebase', 'export', 'ada@example.com', join(home, 'register.json')], {
      input: password,
      environment,
    })

  test('reads all records, page by page', async () => {
    const { code, err } = await exportRecords()
    expect([code, err]).toEqual([0, ''])
    const { books } = JSON.parse(readFileSync(join(home, 'register.json'), 'utf8'))
    expect(books.map(({ eName }: { eName: string }) => eName)).toEqual(
      documents.map(({ fields }) => fields.eName.stringValue),
    )
    expect(queries.length).toBeGreaterThan(1)
  })

  const unavailable = { error: { code: 503, message: 'The datastore timed out.', status: 'UNAVAILABLE' } }
  const cutInHalf = (text: string) => text.slice(0, text.length / 2)
  const failures: [
    name: string,
    send: (response: ServerResponse, page: object[]) => void,
    message: string,
  ][] = [
    [
      'contains an error after the first records',
      (response, page) => response.end(JSON.stringify([...page.slice(0, 10), unavailable])),
      'Firebase is unavailable.',
    ],
    [
      'is not complete JSON',
      (response, page) => response.end(cutInHalf(JSON.stringify(page))),
      'sent an incomplete response',
    ],
    [
      'is cut with the connection',
      (response, page) => {
        const text = JSON.stringify(page)
        response.writeHead(200, { 'content-length': text.length })
        response.write(cutInHalf(text), () => response.destroy())
      },
      'sent an incomplete response',
    ],
    ['is not a list', (response) => response.end('{}'), 'sent an incomplete response'],
    [
      'ends early, without an error',
      (response, page) => response.end(JSON.stringify(page.slice(0, 10))),
      'Firebase has 2500 records, but 1010 were read.',
    ],
  ]

  test.each(failures)('fails and writes no file if the second page %s', async (_, send, message) => {
    sendPage = (response, page, pageNumber) =>
      pageNumber === 2 ? send(response, page) : response.end(JSON.stringify(page))
    const { code, out, err } = await exportRecords()
    expect([code, out, err]).toEqual([1, '', expect.stringContaining(message)])
    expect(err).not.toContain('secret')
    expect(err.split('\n')).toHaveLength(1)
    expect(existsSync(join(home, 'register.json'))).toBe(false)
    expect(readdirSync(home)).toEqual([])
  })
})
