import type { Pool } from 'pg'
import type { EmployeeFields } from '../../../contract/employees.ts'
import type { BookStorage, IdentifiedBatch, Removal, StoredBook } from '../port.ts'
import type { Sealing } from '../sealing.ts'
import { asRead } from './errors.ts'
import type { Line } from './line.ts'
import type { BookRow } from './turn.ts'

const pageSize = 5000

export function booksOn(pool: Pool, line: Line, sealing: Sealing): BookStorage {
  const read = (sql: string, values: unknown[] = []) => pool.query(sql, values).catch(asRead)
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

    latestRemovals: async (limit): Promise<Removal[]> =>
      (
        await read(
          'SELECT id, seq, revision FROM books WHERE "eName" IS NULL ORDER BY revision DESC LIMIT $1',
          [limit],
        )
      ).rows,

    add: (id: string, fields: EmployeeFields) => line.write('add', id, fields),
    update: (id: string, fields: EmployeeFields) => line.write('update', id, fields),
    remove: (id: string) => line.write('remove', id),
    restore: (id: string, fields: EmployeeFields) => line.write('restore', id, fields),
    writeBatch: (batch: IdentifiedBatch) => line.write('writeBatch', batch),
    follow: line.follow,
  }
}
