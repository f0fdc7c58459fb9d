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
import {
  encryptPrevious,
  type KnownPasswords,
  maxKept,
  maxRecognized,
  type PreviousPassword,
} from '../../previous-passwords.ts'
import type { StoredDigests } from '../../request-digests.ts'

/** A row of the table `books`; the fields are encrypted or UTF-8, and null where they are wiped. */
export interface StoredRow extends Record<FieldName, Buffer | null> {
  seq: number
  id: string
  revision: number
  removed: boolean
}

interface NamedRow extends StoredRow {
  digest: StoredDigests
  passwordRevision: number
  firstPasswordRevision: number
  /** The latest first; null for none. */
  previousPasswords: PreviousPassword[] | null
}

export const columnsSql = `seq, id, ${fieldColumnsSql}, books.revision, removed`

const previousPasswordsSql = `(
  SELECT json_agg(json_build_object(
    'digest', previous.digest, 'since', since, 'revision', previous.revision, 'isKept', fields IS NOT NULL
  ) ORDER BY previous.revision DESC)
  FROM "previousPasswords" AS previous WHERE previous.seq = books.seq)`

export const selectNamedSql = `
  SELECT ${columnsSql}, digest, ${passwordColumnsSql}, ${previousPasswordsSql} AS "previousPasswords"
  FROM books WHERE id = ANY ($1)`

interface Entry {
  row: EmployeeRow
  columns: (Buffer | null)[]
  /** The rows of the record in `previousPasswords`, the latest first: before the step, and now. */
  storedPasswords: PreviousPassword[]
  previousPasswords: PreviousPassword[]
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
  const { passwordsAfter, toChanges } = createPasswordHistory(rules)
  const entries = new Map(storedRows.map((stored) => [stored.id, toEntry(stored, encryption)]))

  function write(row: WrittenRow): boolean {
    const { id, seq, revision, fields, digests, replaced, before } = row
    const last = entries.get(id)
    const restorable = keepDeleted ? last : undefined
    const columns = fields
      ? encryption.encrypt(id, fields).map(toBuffer)
      : (restorable?.columns ?? fieldColumns.map(() => null))
    const bytes = countBytes(columns)
    if (!resize(head, before, { bytes, isRemoved: !fields }, maxBytes)) return false
    const { passwords, previousPasswords } = passwordsAfter(row, last)
    const isPasswordChanged = !last || replaced !== undefined || last.written?.isPasswordChanged === true
    const readFields = () => fields ?? restorable?.row.readFields()
    entries.set(id, {
      row: { seq, revision, bytes, passwords, isRemoved: !fields, readFields, digests } as EmployeeRow,
      columns,
      storedPasswords: last?.storedPasswords ?? [],
      previousPasswords,
      written: { ...row, isPasswordChanged },
    })
    return true
  }

  const table: EmployeeTable = {
    protectDigest: encryption.protectDigest,
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
  return { table, writtenRows, passwordChanges: () => toChanges([...entries.values()]) }
}

type PasswordRow = Pick<PreviousPassword, 'revision'> & { seq: number }

/** What a step changes in the table `previousPasswords`. */
interface PasswordChanges {
  added: (PreviousPassword & { seq: number; by: string | undefined; text: Buffer | null })[]
  wiped: PasswordRow[]
  forgotten: PasswordRow[]
}

type RecordPasswords = Pick<Entry, 'previousPasswords'> & { passwords: KnownPasswords }

function createPasswordHistory({ encryption, keepDeleted, digestPassword }: TableRules) {
  /** The texts that the step has replaced, by the revision of the change. */
  const replacedTexts = new Map<number, { by: string | undefined; text: Buffer }>()

  /** What a record knows of its passwords after a write. */
  function passwordsAfter(row: WrittenRow, last?: Entry): RecordPasswords {
    const { id, revision, by, fields, replaced } = row
    if (!last) return { passwords: { revision, first: revision }, previousPasswords: [] }
    const { previousPasswords, row: before } = last
    const { passwords } = before
    const { first } = passwords
    if (!fields && !keepDeleted) return { passwords: { revision: first, first }, previousPasswords: [] }
    if (!fields || !replaced) return { passwords, previousPasswords }
    replacedTexts.set(revision, { by, text: toBuffer(encryptPrevious(encryption, id, replaced)) })
    const digest = digestPassword(id, fields)
    const present = previousPasswords.find((previous) => previous.digest === digest)
    const added = {
      digest: digestPassword(id, replaced),
      since: passwords.revision,
      revision,
      isKept: keepDeleted,
    }
    return {
      passwords: { revision: present?.since ?? revision, first },
      previousPasswords: [added, ...previousPasswords.filter((previous) => previous !== present)]
        .slice(0, maxRecognized)
        .map((previous, i) => (i < maxKept ? previous : { ...previous, isKept: false })),
    }
  }

  function toChanges(entries: Entry[]): PasswordChanges {
    const changes: PasswordChanges = { added: [], wiped: [], forgotten: [] }
    for (const { row, storedPasswords, previousPasswords } of entries) {
      if (previousPasswords === storedPasswords) continue
      const { seq } = row
      const stored = new Map(storedPasswords.map((previous) => [previous.revision, previous]))
      for (const previous of previousPasswords) {
        const { revision, isKept } = previous
        const before = stored.get(revision)
        stored.delete(revision)
        const { by, text = null } = replacedTexts.get(revision) ?? {}
        if (!before) changes.added.push({ ...previous, seq, by, text: isKept ? text : null })
        else if (before.isKept && !isKept) changes.wiped.push({ seq, revision })
      }
      for (const revision of stored.keys()) changes.forgotten.push({ seq, revision })
    }
    return changes
  }

  return { passwordsAfter, toChanges }
}

function toEntry(stored: NamedRow, encryption: FieldEncryption): Entry {
  const { id, seq, revision, removed, digest: digests } = stored
  const columns = toColumns(stored)
  const readFields = once(() => (columns[0] === null ? undefined : encryption.decrypt(id, columns)))
  const bytes = countBytes(columns)
  const storedPasswords = stored.previousPasswords ?? []
  const passwords = {
    revision: stored.passwordRevision,
    first: stored.firstPasswordRevision,
  }
  return {
    row: { seq, revision, bytes, passwords, isRemoved: removed, readFields, digests } as EmployeeRow,
    columns,
    storedPasswords,
    previousPasswords: storedPasswords,
  }
}

/** A field as a parameter of type bytea. */
export const toBuffer = (field: string | Uint8Array) => Buffer.from(field as string)
