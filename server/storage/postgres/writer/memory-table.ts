import type { FieldName } from '../../../../contract/employees.ts'
import {
  type EmployeeRow,
  type EmployeeTable,
  type Head,
  once,
  resize,
  type WrittenRow,
} from '../../decide.ts'
import type { FieldEncryption } from '../../encryption/field-encryption.ts'
import { type DigestPassword, maxEarlierPasswords } from '../../encryption/password-digests.ts'
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
  passwordRevision: number | null
  /** The revisions of the table `earlierPasswords` by their digests. */
  earlier: Record<string, number> | null
}

/** Selects a `StoredRow`. */
export const columnsSql = `seq, id, ${fieldColumnsSql}, books.revision, removed`

export const selectNamedSql = `
  SELECT ${columnsSql}, digest, "passwordRevision", (
    SELECT json_object_agg(digest, revision) FROM "earlierPasswords" AS earlier WHERE earlier.seq = books.seq) AS earlier
  FROM books WHERE id = ANY ($1)`

/** The latest version of a row that a step has written, as it must be stored. */
export interface PendingRow extends WrittenRow {
  passwords: Passwords
  isPasswordChanged: boolean
  columns: (Buffer | null)[]
}

/** The revision at which each password of a record first appeared: of the present one, and of the earlier ones by digest. */
interface Passwords {
  revision: number | null
  earlier: Record<string, number>
}

interface Entry {
  row: EmployeeRow
  passwords: Passwords
  columns: (Buffer | null)[]
}

export interface StorageRules {
  encryption: FieldEncryption
  /** Whether removed records keep their fields. */
  keepDeleted: boolean
  /** See `RegisterSize`. */
  maxBytes: number
}

interface TableRules extends StorageRules {
  digestPassword: DigestPassword
}

export type MemoryTable = ReturnType<typeof createMemoryTable>

/** The rows that the commands use, in memory, including what the commands write to them. */
export function createMemoryTable(
  head: Head,
  storedRows: NamedRow[],
  { encryption, keepDeleted, maxBytes, digestPassword }: TableRules,
) {
  const writtenRows = new Map<string, PendingRow>()
  const entries = new Map(storedRows.map((stored) => [stored.id, toEntry(stored, encryption)]))

  function write(row: WrittenRow): boolean {
    const { id, seq, revision, fields, digest, replaced, before } = row
    const earlier = writtenRows.get(id)
    const last = entries.get(id)
    const matchesDigest = last?.row.matchesDigest ?? ((other) => digest === undefined || digest === other)
    const kept = keepDeleted ? last : undefined
    const passwords = passwordsAfter(row, last?.passwords)
    const columns = fields
      ? encryption.encrypt(id, fields).map(toBuffer)
      : (kept?.columns ?? fieldColumns.map(() => null))
    const bytes = countBytes(columns)
    if (!resize(head, before, { bytes, isRemoved: !fields }, maxBytes)) return false
    writtenRows.set(id, {
      ...row,
      digest: digest ?? earlier?.digest,
      passwords,
      isPasswordChanged: !last || replaced !== undefined || earlier?.isPasswordChanged === true,
      columns,
    })
    const readFields = () => fields ?? kept?.row.readFields()
    entries.set(id, {
      row: { seq, revision, bytes, isRemoved: !fields, readFields, matchesDigest } as EmployeeRow,
      passwords,
      columns,
    })
    return true
  }

  function passwordsAfter({ id, revision, fields, replaced }: WrittenRow, last?: Passwords): Passwords {
    if (!last) return { revision, earlier: {} }
    if (!fields && !keepDeleted)
      return { revision: Math.min(last.revision ?? 0, ...Object.values(last.earlier)), earlier: {} }
    if (!fields || !replaced) return last
    const earlier = { [digestPassword(id, replaced)]: last.revision ?? 0, ...last.earlier }
    const latest = Object.entries(earlier).sort(([, a], [, b]) => b - a)
    return {
      revision: earlier[digestPassword(id, fields)] ?? revision,
      earlier: Object.fromEntries(latest.slice(0, maxEarlierPasswords)),
    }
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
  const { id, seq, revision, removed, digest, passwordRevision, earlier } = stored
  const columns = toColumns(stored)
  const readFields = once(() => (columns[0] === null ? undefined : encryption.decrypt(id, columns)))
  const matchesDigest = (other: string) => digest === null || digest === encryption.protectDigest(other)
  const bytes = countBytes(columns)
  return {
    row: { seq, revision, bytes, isRemoved: removed, readFields, matchesDigest } as EmployeeRow,
    passwords: { revision: passwordRevision, earlier: earlier ?? {} },
    columns,
  }
}

/** A field as a parameter of type bytea. */
export const toBuffer = (field: string | Uint8Array) => Buffer.from(field as string)
