import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { maxBatchSize } from '../../contract/batches.ts'
import { idempotencyKeyHeader, paths } from '../../contract/protocol.ts'
import { median } from '../statistics.ts'
import { formatNumber, reportResult } from './report.ts'
import { createFolder, employeeAt, startWithSession } from './servers.ts'

const rounds = 3
const employees = Array.from({ length: maxBatchSize }, (_, i) => employeeAt(i))

/** An import of the largest size, from request to response, against one transaction without a server. */
export async function measureBatches() {
  const times = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    times.bare.push(measureTransaction())
    times.ours.push(await measureRequest())
  }
  reportResult({
    label: `a batch of ${formatNumber(maxBatchSize)} records, HTTP and checks included`,
    ours: median(times.ours),
    reference: median(times.bare),
    referenceName: 'one bare SQLite transaction of as many inserts',
    unit: ' ms',
    atMost: 4,
  })
}

async function measureRequest(): Promise<number> {
  const { url, cookie, stop } = await startWithSession(createFolder())
  const headers = { cookie, 'content-type': 'application/json', [idempotencyKeyHeader]: 'measured' }
  const body = JSON.stringify({ add: employees, update: [], remove: [] })
  const startedAt = performance.now()
  const response = await fetch(url + paths.batch, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`The batch was rejected with ${response.status}.`)
  await response.arrayBuffer()
  const milliseconds = performance.now() - startedAt
  await stop()
  return milliseconds
}

function measureTransaction(): number {
  const database = new DatabaseSync(join(createFolder(), 'bare.sqlite'))
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE records (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, eName, email, password, revision UNIQUE)`)
  const insert = database.prepare(
    'INSERT INTO records (id, eName, email, password, revision) VALUES (?, ?, ?, ?, ?)',
  )
  const startedAt = performance.now()
  database.exec('BEGIN IMMEDIATE')
  for (const [i, { eName, email, password }] of employees.entries())
    insert.run(`record-${i}`, eName, email, password, i)
  database.exec('COMMIT')
  const milliseconds = performance.now() - startedAt
  database.close()
  return milliseconds
}
