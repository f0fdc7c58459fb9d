import type { FieldEncryption } from '../encryption/field-encryption.ts'
import { fieldColumnsSql, toColumns } from '../field-columns.ts'
import { pagesOf } from '../sql/storage.ts'
import type { Removal } from '../types.ts'
import type { Pool } from './connect.ts'
import { throwReadError } from './errors.ts'
import type { StoredRow } from './writer/memory-table.ts'

const selectPageSql = `
  SELECT seq, id, revision, ${fieldColumnsSql} FROM books WHERE NOT removed AND seq > $1 ORDER BY seq LIMIT 5000`

export function createEmployeeReader(source: Pick<Pool, 'query'>, encryption: FieldEncryption) {
  const read = (sql: string, values: unknown[] = []) => source.query(sql, values).catch(throwReadError)
  return {
    head: async () => (await read('SELECT revision, floor, epoch FROM register')).rows[0],

    load: () =>
      pagesOf('seq', async (afterSeq) => {
        const rows: StoredRow[] = (await read(selectPageSql, [afterSeq])).rows
        return rows.map(({ seq, id, revision, ...row }) => {
          return { seq, id, revision, ...encryption.decrypt(id, toColumns(row)) }
        })
      }),

    async latestRemovals(limit: number): Promise<Removal[]> {
      const sql = 'SELECT id, seq, revision FROM books WHERE removed ORDER BY revision DESC LIMIT $1'
      return (await read(sql, [limit])).rows
    },
  }
}
