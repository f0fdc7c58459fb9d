import { DatabaseSync } from 'node:sqlite'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'

// A minimal durable group commit: one transaction for all waiting inserts.
const port = parentPort
const database = new DatabaseSync(workerData)
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE records (id INTEGER PRIMARY KEY, eName TEXT, email TEXT, password TEXT)`)
const insert = database.prepare('INSERT INTO records (eName, email, password) VALUES (?, ?, ?)')

port?.on('message', (first) => {
  const batch = [...first]
  for (let more = receiveMessageOnPort(port); more; more = receiveMessageOnPort(port))
    batch.push(...more.message)
  database.exec('BEGIN IMMEDIATE')
  const ids = batch.map(({ eName, email, password }) => insert.run(eName, email, password).lastInsertRowid)
  database.exec('COMMIT')
  port.postMessage(ids)
})
