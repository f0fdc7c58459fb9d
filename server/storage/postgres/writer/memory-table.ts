import type { FieldName } from '../../../../contract/employees.ts'
import {
  type EmployeeRow,
  type EmployeeTable,
  growBy,
  type Head,
  once,
  type WrittenRow,
} from '../../decide.ts'
import type { FieldEncryption } from '../../encryption/field-encryption.ts'
import { countBytes, fieldColumns, fieldColumnsSql, toColumns } from '../../field-columns.ts'

/** A row of the table `books`; the fields are encrypted or UTF-8, and null where they are wiped. */
export interface StoredRow extends Record<FieldName, Buffer | null> {
  seq: number
  id: string
  revision: number
  removed: boolean
}

interface NamedRow extends StoredRow {
  digest: string | null
}

/** Selects a `StoredRow`. */
export const columnsSql = `seq, id, ${fieldColumnsSql}, books.revision, removed`

export const selectNamedSql = `SELECT ${columnsSql}, digest FROM books WHERE id = ANY ($1)`

/** The latest version of a row that a step has written, as it must be stored. */
export interface PendingRow extends WrittenRow {
  /** Null if the password has not changed. */
  passwordRevision: number | null
  columns: (Buffer | null)[]
}

interface Entry {
  row: EmployeeRow
  columns: (Buffer | null)[]
}

export interface StorageRules {
  encryption: FieldEncryption
  /** Whether removed records keep their fields. */
  keepDeleted: boolean
  /** See `RegisterSize`. */
  maxBytes: number
}

export type MemoryTable = ReturnType<typeof createMemoryTable>

/** The rows that the commands use, in memory, including what the commands write to them. */
export function createMemoryTable(
  head: Head,
  storedRows: NamedRow[],
  { encryption, keepDeleted, maxBytes }: StorageRules,
) {
  const writtenRows = new Map<string, PendingRow>()
  const entries = new Map(storedRows.map((stored) => [stored.id, toEntry(stored, encryption)]))

  function write(row: WrittenRow): boolean {
    const { id, seq, revision, fields, digest, bytesBefore } = row
    const earlier = writtenRows.get(id)
    const last = entries.get(id)
    const matchesDigest = last?.row.matchesDigest ?? ((other) => digest === undefined || digest === other)
    const kept = keepDeleted ? last : undefined
    const columns = fields
      ? encryption.encrypt(id, fields).map(toBuffer)
      : (kept?.columns ?? fieldColumns.map(() => null))
    const bytes = countBytes(columns)
    if (!growBy(head, (fields ? bytes : 0) - bytesBefore, maxBytes)) return false
    writtenRows.set(id, {
      ...row,
      digest: digest ?? earlier?.digest,
      passwordRevision: row.isPasswordChanged ? revision : (earlier?.passwordRevision ?? null),
      columns,
    })
    const readFields = () => fields ?? kept?.row.readFields()
    entries.set(id, {
      row: { seq, revision, bytes, isRemoved: !fields, readFields, matchesDigest } as EmployeeRow,
      columns,
    })
    return true
  }

  const table: EmployeeTable = {
    head: () => head,
    find: (id) => entries.get(id)?.row,
    insert: write,
    update: write,
  }
  return { table, writtenRows }
}

function toEntry(stored: NamedRow, encryption: FieldEncryption): Entry {
  const { id, seq, revision, removed, digest } = stored
  const columns = toColumns(stored)
  const readFields = once(() => (columns[0] === null ? undefined : encryption.decrypt(id, columns)))
  const matchesDigest = (other: string) => digest === null || digest === encryption.protectDigest(other)
  const bytes = countBytes(columns)
  return {
    row: { seq, revision, bytes, isRemoved: removed, readFields, matchesDigest } as EmployeeRow,
    columns,
  }
}

/** A field as a parameter of type bytea. */
export const toBuffer = (field: string | Uint8Array) => Buffer.from(field as string)
