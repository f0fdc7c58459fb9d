import type { FieldEncryption } from '../encryption/field-encryption.ts'
import { fieldColumnsSql, toColumns } from '../field-columns.ts'
import type { Removal, StoredEmployee } from '../storage.ts'
import type { Pool } from './connect.ts'
import { throwReadError } from './errors.ts'
import type { StoredRow } from './writer/memory-table.ts'

const pageSize = 5000

export function createEmployeeReader(source: Pick<Pool, 'query'>, encryption: FieldEncryption) {
  const read = (sql: string, values: unknown[] = []) => source.query(sql, values).catch(throwReadError)
  return {
    head: async () => (await read('SELECT revision, floor, epoch FROM register')).rows[0],

    async *load() {
      let lastSeq = 0
      for (;;) {
        const { rows } = await read(
          `SELECT seq, id, revision, ${fieldColumnsSql} FROM books
           WHERE NOT removed AND seq > $1 ORDER BY seq LIMIT ${pageSize}`,
          [lastSeq],
        )
        if (rows.length === 0) return
        yield rows.map(
          ({ seq, id, revision, ...row }: StoredRow): StoredEmployee => ({
            seq,
            id,
            revision,
            ...encryption.decrypt(id, toColumns(row)),
          }),
        )
        lastSeq = rows.at(-1).seq
      }
    },

    async latestRemovals(limit: number): Promise<Removal[]> {
      const sql = 'SELECT id, seq, revision FROM books WHERE removed ORDER BY revision DESC LIMIT $1'
      return (await read(sql, [limit])).rows
    },
  }
}
