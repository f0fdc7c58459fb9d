import type { DatabaseSync } from 'node:sqlite'
import type { FieldEncryption } from '../encryption/field-encryption.ts'
import { fieldColumnsSql, isWipedSql } from '../field-columns.ts'
import { restorableSql } from '../sql/history.ts'
import { pagesOf } from '../sql/storage.ts'
import type { Removal, StorageHead } from '../types.ts'
import { readRow, readRows } from './connect.ts'

const pageSize = 500

/** SQL on the table `register`: the revision of the latest write, or after a restore the one from which to continue. */
export const latestRevisionSql = 'max(floor, (SELECT coalesce(max(revision), 0) FROM books))'

type Row = [seq: number, id: string, revision: number, ...columns: unknown[]]

export function createEmployeeReader(reader: DatabaseSync, encryption: FieldEncryption) {
  const selectHead = reader.prepare(`SELECT ${latestRevisionSql} AS revision, floor, epoch FROM register`)
  const selectPage = reader.prepare(
    `SELECT seq, id, revision, ${fieldColumnsSql} FROM books WHERE NOT removed AND seq > ? ORDER BY seq LIMIT ${pageSize}`,
  )
  // Rows as objects take three times the time and memory, which matters when 100,000 rows are loaded.
  selectPage.setReturnArrays(true)
  const selectRemovals = reader.prepare(
    `SELECT id, seq, revision FROM books WHERE ${restorableSql}
     UNION ALL SELECT id, seq, revision FROM books WHERE ${isWipedSql} ORDER BY revision DESC LIMIT ?`,
  )
  return {
    head: async () => readRow<StorageHead>(selectHead) as StorageHead,
    load: () =>
      pagesOf('seq', async (afterSeq) =>
        readRows<Row>(selectPage, afterSeq).map((row) => {
          const [seq, id, revision] = row
          return { seq, id, revision, ...encryption.decrypt(id, row.slice(3)) }
        }),
      ),
    latestRemovals: async (limit: number) => readRows<Removal>(selectRemovals, limit),
  }
}
