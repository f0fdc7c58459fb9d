import { type EmployeeRow, type EmployeeTable, type Head, once, type WrittenRow } from '../../decide.ts'
import type { FieldEncryption } from '../../encryption/field-encryption.ts'

/** A row of the table `books`; the fields are encrypted or UTF-8, and null where the record is removed. */
export interface StoredRow {
  seq: number
  id: string
  revision: number
  eName: Buffer | null
  email: Buffer | null
  password: Buffer | null
}

/** As `selectNamedSql` returns it: with the fields in `deleted`, if the record is removed and they are kept. */
interface NamedRow extends StoredRow {
  isRemoved: boolean
  digest: string | null
}

export const selectNamedSql = `
  SELECT seq, id, coalesce(books."eName", deleted."eName") AS "eName", coalesce(books.email, deleted.email) AS email,
    coalesce(books.password, deleted.password) AS password, books.revision, books."eName" IS NULL AS "isRemoved", digest
  FROM books LEFT JOIN deleted USING (revision) WHERE id = ANY ($1)`

/** The latest version of a row that a step has written, as it must be stored. */
export interface PendingRow extends WrittenRow {
  /** Null if the password has not changed. */
  passwordRevision: number | null
  fieldColumns: (Buffer | null)[]
  /** What `deleted` must keep. */
  deletedColumns?: (Buffer | null)[] | undefined
}

interface Entry {
  row: EmployeeRow
  columns(): (Buffer | null)[]
}

export interface StorageRules {
  encryption: FieldEncryption
  /** Whether `deleted` keeps the fields of removed records. */
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
  const endedRemovals: number[] = []
  const entries = new Map(storedRows.map((stored) => [stored.id, toEntry(stored, encryption)]))

  function write(row: WrittenRow, matchesDigest: EmployeeRow['matchesDigest']) {
    const { id, seq, revision, fields, digest } = row
    const earlier = writtenRows.get(id)
    const last = entries.get(id)
    const isKept = !fields && keepDeleted
    const fieldColumns = fields ? encryption.encrypt(id, fields).map(toBuffer) : [null, null, null]
    writtenRows.set(id, {
      ...row,
      digest: digest ?? earlier?.digest,
      passwordRevision: row.isPasswordChanged ? revision : (earlier?.passwordRevision ?? null),
      fieldColumns,
      deletedColumns: isKept ? last?.columns() : undefined,
    })
    const readFields = () => fields ?? (isKept ? last?.row.readFields() : undefined)
    entries.set(id, {
      row: { seq, revision, isRemoved: !fields, readFields, matchesDigest } as EmployeeRow,
      columns: () => fieldColumns,
    })
  }

  const table: EmployeeTable = {
    head: () => head,
    find: (id) => entries.get(id)?.row,
    insert(row) {
      const { digest } = row
      write(row, (other) => digest === undefined || digest === other)
    },
    update(row, before) {
      if (before.isRemoved && !writtenRows.has(row.id)) endedRemovals.push(before.revision)
      write(row, before.matchesDigest)
    },
  }
  return {
    table,
    writtenRows,
    /** Revisions of removals whose fields must no longer be kept. */
    endedRemovals,
  }
}

function toEntry(stored: NamedRow, encryption: FieldEncryption): Entry {
  const { id, seq, revision, isRemoved, digest, eName, email, password } = stored
  const readFields = once(() => (eName === null ? undefined : encryption.decrypt(id, stored)))
  const matchesDigest = (other: string) => digest === null || digest === encryption.protectDigest(other)
  return {
    row: { seq, revision, isRemoved, readFields, matchesDigest } as EmployeeRow,
    columns: () => [eName, email, password],
  }
}

/** A field as a parameter of type bytea. */
export const toBuffer = (field: string | Uint8Array) => Buffer.from(field as string)
