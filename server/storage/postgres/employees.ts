import type { Pool } from 'pg'
import type { EmployeeFields } from '../../../contract/employees.ts'
import type { Sealing } from '../encryption/field-encryption.ts'
import type { IdentifiedBatch, Removal, StoredBook } from '../storage.ts'
import { asRead } from './errors.ts'
import type { Line } from './writer/connection.ts'
import type { BookRow } from './writer/round.ts'

const pageSize = 5000

export function readBooks(source: Pick<Pool, 'query'>, sealing: Sealing) {
  const read = (sql: string, values: unknown[] = []) => source.query(sql, values).catch(asRead)
  return {
    head: async () => (await read('SELECT revision, floor, epoch FROM register')).rows[0],

    async *load() {
      let last = 0
      for (;;) {
        const { rows } = await read(
          `SELECT seq, id, "eName", email, password, revision FROM books
           WHERE "eName" IS NOT NULL AND seq > $1 ORDER BY seq LIMIT ${pageSize}`,
          [last],
        )
        if (rows.length === 0) return
        yield rows.map(
          ({ seq, id, revision, ...fields }: BookRow): StoredBook => ({
            seq,
            id,
            revision,
            ...sealing.open(id, fields),
          }),
        )
        last = rows.at(-1).seq
      }
    },

    async latestRemovals(limit: number): Promise<Removal[]> {
      const sql = 'SELECT id, seq, revision FROM books WHERE "eName" IS NULL ORDER BY revision DESC LIMIT $1'
      return (await read(sql, [limit])).rows
    },
  }
}

export function writeBooks({ write, follow }: Line) {
  return {
    add: (id: string, fields: EmployeeFields) => write('add', id, fields),
    update: (id: string, fields: EmployeeFields) => write('update', id, fields),
    remove: (id: string) => write('remove', id),
    restore: (id: string, fields: EmployeeFields) => write('restore', id, fields),
    writeBatch: (batch: IdentifiedBatch) => write('writeBatch', batch),
    follow,
  }
}
