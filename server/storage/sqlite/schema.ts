import { DatabaseSync } from 'node:sqlite'
import { migrate, readSchemaVersion } from './migrate.ts'
import { modernizeBooks } from './pre-release-schema.ts'

/** What ANALYZE creates, and what is left of an AUTOINCREMENT. */
const internalTables = [
  'CREATE TABLE sqlite_sequence(name,seq)',
  'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
]

/** The index of the unique revision in early registers, see `modernizeBooks`. SQLite reserves such names. */
const earlyIndex = 'sqlite_autoindex_books_2'

/**
 * Returns one problem for each trigger, view, table or index that the migrations up to the database's version did not create,
 * or that is missing. Such an object can change what is read or written. Reads only the schema.
 */
export function findSchemaProblems(database: DatabaseSync): string[] {
  using pristine = new DatabaseSync(':memory:')
  migrate(pristine, readSchemaVersion(database))
  const [expected, found] = [readObjects(pristine), readObjects(database)]
  return [
    ...[...found].filter(([key]) => !expected.has(key)).map(([, name]) => `There is a foreign ${name}.`),
    ...[...expected].filter(([key]) => !found.has(key)).map(([, name]) => `There is no ${name}.`),
  ]
}

/** Names for messages, by all that defines an object. */
function readObjects(database: DatabaseSync): Map<string, string> {
  const rows = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all()
  return new Map(
    rows
      .filter(({ type, name, sql }) =>
        type === 'table' ? !internalTables.includes(String(sql)) : name !== earlyIndex || sql !== null,
      )
      .map(({ type, name, tbl_name, sql }) => [
        JSON.stringify([type, name, tbl_name, name === 'books' ? modernizeBooks(String(sql)) : sql]),
        `${type} ${JSON.stringify(name)}`,
      ]),
  )
}
