import { type FieldName, fieldNames } from '../../contract/employees.ts'

/** The columns of a record's fields, quoted for both databases, in the order of `fieldNames`. */
export const fieldColumns = fieldNames.map((name) => `"${name}"`)

export const fieldColumnsSql = fieldColumns.join(', ')

/**
 * Wiped records have NULL in all columns. A column that a later migration has added is NULL in older records too, so only the
 * first one tells. The partial indexes of the migrations have this condition.
 */
export const isWipedSql = `${fieldColumns[0]} IS NULL`
export const hasFieldsSql = `${fieldColumns[0]} IS NOT NULL`

/**
 * SQL: wipes the fields, in an UPDATE of `books`. The rows of the record in `previousPasswords` are to be deleted too. A password
 * that comes back may be any of them, so it counts as the first.
 */
export const wipeFieldsSql = `${assignFields(() => 'NULL')},
  "passwordRevision" = coalesce("firstPasswordRevision", "passwordRevision")`

/** SQL: the revisions of `KnownPasswords`. The revisions are 0 if the record was last changed before there was a history. */
export const passwordColumnsSql =
  'coalesce("passwordRevision", 0) AS "passwordRevision", coalesce("firstPasswordRevision", "passwordRevision", 0) AS "firstPasswordRevision"'

/** A record with the fields that it has, which may be encrypted. */
export interface StoredFields extends Record<FieldName, unknown> {
  seq: number
  id: string
  removed: 0 | 1 | boolean
}

/** SQL: selects all `StoredFields`, also of removed records until they are wiped. */
export const storedFieldsSql = `SELECT seq, id, removed, ${fieldColumnsSql} FROM books WHERE ${hasFieldsSql}`

/** Returns the assignments of an UPDATE. */
export function assignFields(toValue: (column: string, index: number) => string): string {
  return fieldColumns.map((column, i) => `${column} = ${toValue(column, i)}`).join(', ')
}

/** What the list holds of each record besides its fields, about. */
const recordOverheadBytes = 100

/** Returns what a record counts of the size of the register: its stored fields and `recordOverheadBytes`; 0 if it is wiped. */
export function countBytes(columns: readonly (string | Uint8Array | null)[]): number {
  if (columns[0] === null) return 0
  return columns.reduce((sum, column) => sum + Buffer.byteLength(column ?? ''), recordOverheadBytes)
}

/** SQL: the same, of a row. */
export const recordBytesSql = `CASE WHEN ${isWipedSql} THEN 0 ELSE ${fieldColumns
  .map((column) => `coalesce(octet_length(${column}), 0)`)
  .join(' + ')} + ${recordOverheadBytes} END`

export const registerBytesSql = `(SELECT coalesce(sum(${recordBytesSql}), 0) FROM books WHERE NOT removed)`

export const deletedBytesSql = `(SELECT coalesce(sum(${recordBytesSql}), 0) FROM books WHERE removed AND ${hasFieldsSql})`

/** Returns the values of the fields' columns, in the order of `fieldNames`. */
export const toColumns = <T>(row: Record<FieldName, T>): T[] => fieldNames.map((name) => row[name])
