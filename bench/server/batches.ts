import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { maxBatchSize } from '../../contract/batches.ts'
import { idempotencyKeyHeader, paths } from '../../contract/protocol.ts'
import { employeeAt } from './employees.ts'
import { formatNumber, median, printRow } from './report.ts'
import { createFolder, startUnlimitedWithSession } from './servers.ts'

const rounds = 3
const employees = Array.from({ length: maxBatchSize }, (_, i) => employeeAt(i))

/** An import of as many records as one may hold: from the request to the answer, against the bare transaction. */
export async function measureBatches() {
  const times = { ours: [] as number[], bare: [] as number[] }
  for (let turn = 0; turn < rounds; turn++) {
    times.bare.push(measureBaselineTransaction())
    times.ours.push(await measureBatchRequest())
  }
  const [ours, bare] = [median(times.ours), median(times.bare)]
  printRow({
    label: `a batch of ${formatNumber(maxBatchSize)} records, HTTP and checks included`,
    ours: `${formatNumber(ours)} ms`,
    baseline: `${formatNumber(bare)} ms`,
    baselineName: 'one bare SQLite transaction of as many inserts',
    ratio: ours / bare,
    wanted: '≤ 4',
    reached: ours / bare <= 4,
  })
}

async function measureBatchRequest(): Promise<number> {
  const server = await startUnlimitedWithSession(createFolder())
  const headers = {
    cookie: server.cookie,
    'content-type': 'application/json',
    [idempotencyKeyHeader]: 'measured',
  }
  const body = JSON.stringify({ add: employees, update: [], remove: [] })
  const began = performance.now()
  const response = await fetch(server.url + paths.batch, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`A batch was answered ${response.status}.`)
  await response.arrayBuffer()
  const took = performance.now() - began
  await server.stop()
  return took
}

function measureBaselineTransaction(): number {
  const database = new DatabaseSync(join(createFolder(), 'bare.sqlite'))
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec(
    'CREATE TABLE records (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, eName, email, password, revision UNIQUE)',
  )
  const insert = database.prepare(
    'INSERT INTO records (id, eName, email, password, revision) VALUES (?, ?, ?, ?, ?)',
  )
  const began = performance.now()
  database.exec('BEGIN IMMEDIATE')
  for (const [i, { eName, email, password }] of employees.entries()) {
    insert.run(`record-${i}`, eName, email, password, i)
  }
  database.exec('COMMIT')
  const took = performance.now() - began
  database.close()
  return took
}
