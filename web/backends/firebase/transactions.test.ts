import { createServer } from 'node:http2'
import { deleteApp, initializeApp } from 'firebase/app'
import { connectFirestoreEmulator, doc, getFirestore } from 'firebase/firestore'
import { expect, test } from 'vitest'
import { cleanUpAfterTest } from '../../../tests/support/cleanup.ts'
import { listenLocally } from '../../../tests/support/listen.ts'
import { createTransactions } from './transactions.ts'

const [ok, unknown] = [0, 2]

test.each([
  ['repeats a transaction that failed inside Firestore', [unknown, ok], undefined],
  ['rejects with offline after three attempts', [unknown, unknown, unknown], 'offline'],
])('%s', async (_, statuses, code) => {
  const server = createServer().on('stream', (stream) => {
    const status = String(statuses.shift())
    stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status }))
    // The frame of an empty message.
    stream.end(Buffer.alloc(5))
  })
  const app = initializeApp({ projectId: 'demo-staffbook' })
  cleanUpAfterTest(async () => {
    await deleteApp(app)
    server.close()
  })
  const db = getFirestore(app)
  connectFirestoreEmulator(db, '127.0.0.1', await listenLocally(server))
  const run = createTransactions(db)
  const result = run((transaction) => void transaction.delete(doc(db, 'books/1')))
  await (code ? expect(result).rejects.toMatchObject({ code }) : result)
  expect(statuses).toEqual([])
})
