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
 * SQL: wipes the fields, in an UPDATE of `books`. The digests of earlier passwords must then be deleted; a password that comes
 * back may be any of them, so it counts as the first.
 */
export const wipeFieldsSql = `${assignFields(() => 'NULL')}, "passwordRevision" = coalesce(
  (SELECT min(revision) FROM "earlierPasswords" AS earlier WHERE earlier.seq = books.seq), "passwordRevision")`

/** Returns the assignments of an UPDATE. */
export function assignFields(toValue: (column: string, index: number) => string): string {
  return fieldColumns.map((column, i) => `${column} = ${toValue(column, i)}`).join(', ')
}

/** Returns the values of the fields' columns, in the order of `fieldNames`. */
export const toColumns = <T>(row: Record<FieldName, T>): T[] => fieldNames.map((name) => row[name])
