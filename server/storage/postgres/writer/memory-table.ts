import { type EmployeeRow, type EmployeeTable, type Head, once, type WrittenRow } from '../../decide.ts'
import type { FieldEncryption } from '../../encryption/field-encryption.ts'

/** A row of the table `books`; the fields are encrypted or UTF-8, and null where they are wiped. */
export interface StoredRow {
  seq: number
  id: string
  revision: number
  removed: boolean
  eName: Buffer | null
  email: Buffer | null
  password: Buffer | null
}

interface NamedRow extends StoredRow {
  digest: string | null
}

/** Selects a `StoredRow`. */
export const columnsSql = 'seq, id, "eName", email, password, books.revision, removed'

export const selectNamedSql = `SELECT ${columnsSql}, digest FROM books WHERE id = ANY ($1)`

/** The latest version of a row that a step has written, as it must be stored. */
export interface PendingRow extends WrittenRow {
  /** Null if the password has not changed. */
  passwordRevision: number | null
  fieldColumns: (Buffer | null)[]
}

interface Entry {
  row: EmployeeRow
  columns: (Buffer | null)[]
}

export interface StorageRules {
  encryption: FieldEncryption
  /** Whether removed records keep their fields. */
  keepDeleted: boolean
}

export type MemoryTable = ReturnType<typeof createMemoryTable>

/** The rows that the commands use, in memory, including what the commands write to them. */
export function createMemoryTable(
  head: Head,
  storedRows: NamedRow[],
  { encryption, keepDeleted }: StorageRules,
) {
  const writtenRows = new Map<string, PendingRow>()
  const entries = new Map(storedRows.map((stored) => [stored.id, toEntry(stored, encryption)]))

  function write(row: WrittenRow) {
    const { id, seq, revision, fields, digest } = row
    const earlier = writtenRows.get(id)
    const last = entries.get(id)
    const matchesDigest = last?.row.matchesDigest ?? ((other) => digest === undefined || digest === other)
    const kept = keepDeleted ? last : undefined
    const fieldColumns = fields
      ? encryption.encrypt(id, fields).map(toBuffer)
      : (kept?.columns ?? [null, null, null])
    writtenRows.set(id, {
      ...row,
      digest: digest ?? earlier?.digest,
      passwordRevision: row.isPasswordChanged ? revision : (earlier?.passwordRevision ?? null),
      fieldColumns,
    })
    const readFields = () => fields ?? kept?.row.readFields()
    entries.set(id, {
      row: { seq, revision, isRemoved: !fields, readFields, matchesDigest } as EmployeeRow,
      columns: fieldColumns,
    })
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
  const { id, seq, revision, removed, digest, eName, email, password } = stored
  const readFields = once(() => (eName === null ? undefined : encryption.decrypt(id, stored)))
  const matchesDigest = (other: string) => digest === null || digest === encryption.protectDigest(other)
  return {
    row: { seq, revision, isRemoved: removed, readFields, matchesDigest } as EmployeeRow,
    columns: [eName, email, password],
  }
}

/** A field as a parameter of type bytea. */
export const toBuffer = (field: string | Uint8Array) => Buffer.from(field as string)
