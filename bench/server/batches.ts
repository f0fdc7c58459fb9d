import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { maxBatchSize } from '../../contract/batches.ts'
import { idempotencyKeyHeader, paths } from '../../contract/protocol.ts'
import { median, printRow, round } from './figures.ts'
import { personOf } from './people.ts'
import { newFolder, startOurs } from './servers.ts'

const rounds = 3
const people = Array.from({ length: maxBatchSize }, (_, i) => personOf(i))

/** An import of as many records as one may hold: from the request to the answer, against the bare transaction. */
export async function measureBatches() {
  const times = { ours: [] as number[], bare: [] as number[] }
  for (let turn = 0; turn < rounds; turn++) {
    times.bare.push(bareTransaction())
    times.ours.push(await ownBatch())
  }
  const [ours, bare] = [median(times.ours), median(times.bare)]
  printRow({
    work: `a batch of ${round(maxBatchSize)} records, HTTP and checks included`,
    ours: `${round(ours)} ms`,
    bare: `${round(bare)} ms`,
    against: 'one bare SQLite transaction of as many inserts',
    ratio: ours / bare,
    wanted: '≤ 4',
    reached: ours / bare <= 4,
  })
}

async function ownBatch(): Promise<number> {
  const server = await startOurs(newFolder())
  const headers = {
    cookie: server.cookie,
    'content-type': 'application/json',
    [idempotencyKeyHeader]: 'measured',
  }
  const body = JSON.stringify({ add: people, update: [], remove: [] })
  const began = performance.now()
  const response = await fetch(server.url + paths.batch, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`A batch was answered ${response.status}.`)
  await response.arrayBuffer()
  const took = performance.now() - began
  await server.stop()
  return took
}

function bareTransaction(): number {
  const database = new DatabaseSync(join(newFolder(), 'bare.sqlite'))
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec(
    'CREATE TABLE records (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, eName, email, password, revision UNIQUE)',
  )
  const insert = database.prepare(
    'INSERT INTO records (id, eName, email, password, revision) VALUES (?, ?, ?, ?, ?)',
  )
  const began = performance.now()
  database.exec('BEGIN IMMEDIATE')
  for (const [i, { eName, email, password }] of people.entries()) {
    insert.run(`record-${i}`, eName, email, password, i)
  }
  database.exec('COMMIT')
  const took = performance.now() - began
  database.close()
  return took
}
