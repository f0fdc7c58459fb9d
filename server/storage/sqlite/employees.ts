import type { DatabaseSync } from 'node:sqlite'
import type { EmployeeFields } from '../../../contract/employees.ts'
import type { Sealing } from '../encryption/field-encryption.ts'
import type { IdentifiedBatch, Removal } from '../storage.ts'
import { latestRevision } from './latest-revision.ts'
import type { Write } from './writer/client.ts'

const pageSize = 500

type Row = [seq: number, id: string, eName: unknown, email: unknown, password: unknown, revision: number]

export function readBooks(reader: DatabaseSync, sealing: Sealing) {
  const head = reader.prepare(`SELECT ${latestRevision} AS revision, floor, epoch FROM register`)
  const page = reader.prepare(
    `SELECT seq, id, eName, email, password, revision FROM books WHERE eName IS NOT NULL AND seq > ? ORDER BY seq LIMIT ${pageSize}`,
  )
  // Objects cost three times the time and memory of arrays, which counts while 100,000 rows are loaded.
  page.setReturnArrays(true)
  const removals = reader.prepare(
    'SELECT id, seq, revision FROM books WHERE eName IS NULL ORDER BY revision DESC LIMIT ?',
  )
  return {
    head: async () => head.get() as unknown as { revision: number; floor: number; epoch: string },
    async *load() {
      let last = 0
      for (;;) {
        const rows = page.all(last) as unknown as Row[]
        if (rows.length === 0) return
        yield rows.map(([seq, id, eName, email, password, revision]) => ({
          seq,
          id,
          revision,
          ...sealing.open(id, { eName, email, password }),
        }))
        last = (rows.at(-1) as Row)[0]
      }
    },
    latestRemovals: async (limit: number) => removals.all(limit) as unknown as Removal[],
  }
}

export function writeBooks(write: Write) {
  return {
    add: (id: string, fields: EmployeeFields) => write('addBook', id, fields),
    update: (id: string, fields: EmployeeFields) => write('updateBook', id, fields),
    remove: (id: string) => write('removeBook', id),
    restore: (id: string, fields: EmployeeFields) => write('restoreBook', id, fields),
    writeBatch: (batch: IdentifiedBatch) => write('writeBatch', batch),
  }
}
