import type { FieldName } from '../../../../contract/employees.ts'
import {
  type EmployeeRow,
  type EmployeeTable,
  type Head,
  once,
  resize,
  type StorageRules,
  type WrittenRow,
} from '../../decide.ts'
import type { FieldEncryption } from '../../encryption/field-encryption.ts'
import type { DigestPassword } from '../../encryption/password-digests.ts'
import {
  countBytes,
  fieldColumns,
  fieldColumnsSql,
  passwordColumnsSql,
  toColumns,
} from '../../field-columns.ts'
import { encryptPrevious, type KnownPasswords, replacePassword } from '../../previous-passwords.ts'

/** A row of the table `books`; the fields are encrypted or UTF-8, and null where they are wiped. */
export interface StoredRow extends Record<FieldName, Buffer | null> {
  seq: number
  id: string
  revision: number
  removed: boolean
}

interface NamedRow extends StoredRow {
  digest: string | null
  passwordRevision: number
  firstPasswordRevision: number
  passwordDigests: string | null
}

export const columnsSql = `seq, id, ${fieldColumnsSql}, books.revision, removed`

export const selectNamedSql = `
  SELECT ${columnsSql}, digest, ${passwordColumnsSql} FROM books WHERE id = ANY ($1)`

interface Entry {
  row: EmployeeRow
  columns: (Buffer | null)[]
  /** What a step has written to it, if anything. */
  written?: WrittenRow & { isPasswordChanged: boolean }
}

interface TableRules extends StorageRules {
  digestPassword: DigestPassword
}

export type MemoryTable = ReturnType<typeof createMemoryTable>

/** The rows that the commands use, in memory, including what the commands write to them. */
export function createMemoryTable(head: Head, storedRows: NamedRow[], rules: TableRules) {
  const { encryption, keepDeleted, maxBytes } = rules
  const { kept, unkept, passwordsAfter } = createPasswordTables(rules)
  const entries = new Map(storedRows.map((stored) => [stored.id, toEntry(stored, encryption)]))

  function write(row: WrittenRow): boolean {
    const { id, seq, revision, fields, digest, replaced, before } = row
    const last = entries.get(id)
    const matchesDigest = last?.row.matchesDigest ?? ((other) => digest === undefined || digest === other)
    const restorable = keepDeleted ? last : undefined
    const columns = fields
      ? encryption.encrypt(id, fields).map(toBuffer)
      : (restorable?.columns ?? fieldColumns.map(() => null))
    const bytes = countBytes(columns)
    if (!resize(head, before, { bytes, isRemoved: !fields }, maxBytes)) return false
    const passwords = passwordsAfter(row, last?.row.passwords)
    const isPasswordChanged = !last || replaced !== undefined || last.written?.isPasswordChanged === true
    const readFields = () => fields ?? restorable?.row.readFields()
    entries.set(id, {
      row: { seq, revision, bytes, passwords, isRemoved: !fields, readFields, matchesDigest } as EmployeeRow,
      columns,
      written: { ...row, digest: digest ?? last?.written?.digest, isPasswordChanged },
    })
    return true
  }

  const table: EmployeeTable = {
    head: () => head,
    find: (id) => entries.get(id)?.row,
    insert: write,
    update: write,
  }
  /** The rows that were written, as they must be stored. */
  const writtenRows = () =>
    [...entries.values()].flatMap(({ row: { passwords }, columns, written }) =>
      written ? [{ ...written, passwords, columns }] : [],
    )
  return { table, writtenRows, kept, unkept }
}

/** What a step adds to `previousPasswords`, and the revisions that it removes from there. */
function createPasswordTables({ encryption, keepDeleted, digestPassword }: TableRules) {
  const kept: (Pick<WrittenRow, 'seq' | 'revision' | 'by'> & { fields: Buffer })[] = []
  const unkept = new Set<number>()

  function passwordsAfter(row: WrittenRow, last?: KnownPasswords): KnownPasswords {
    const { id, seq, revision, by, fields, replaced } = row
    if (!last) return { revision, first: revision, digests: null }
    if (!fields && !keepDeleted) return { ...last, revision: last.first, digests: null }
    if (!fields || !replaced) return last
    const change = { id, revision, replaced, fields }
    const { passwords, unkept: surplus } = replacePassword(last, change, digestPassword, keepDeleted)
    if (keepDeleted)
      kept.push({ seq, revision, by, fields: toBuffer(encryptPrevious(encryption, id, replaced)) })
    for (const at of surplus) unkept.add(at)
    return passwords
  }

  return { kept, unkept, passwordsAfter }
}

function toEntry(stored: NamedRow, encryption: FieldEncryption): Entry {
  const { id, seq, revision, removed, digest } = stored
  const columns = toColumns(stored)
  const readFields = once(() => (columns[0] === null ? undefined : encryption.decrypt(id, columns)))
  const matchesDigest = (other: string) => digest === null || digest === encryption.protectDigest(other)
  const bytes = countBytes(columns)
  const passwords = {
    revision: stored.passwordRevision,
    first: stored.firstPasswordRevision,
    digests: stored.passwordDigests,
  }
  return {
    row: { seq, revision, bytes, passwords, isRemoved: removed, readFields, matchesDigest } as EmployeeRow,
    columns,
  }
}

/** A field as a parameter of type bytea. */
export const toBuffer = (field: string | Uint8Array) => Buffer.from(field as string)
