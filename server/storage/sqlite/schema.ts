import { DatabaseSync } from 'node:sqlite'
import { migrate, readSchemaVersion } from './migrate.ts'

/** What ANALYZE creates. */
const internalTables = [
  'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
]

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
      .filter(({ type, sql }) => type !== 'table' || !internalTables.includes(String(sql)))
      .map(({ type, name, tbl_name, sql }) => [
        JSON.stringify([type, name, tbl_name, sql]),
        `${type} ${JSON.stringify(name)}`,
      ]),
  )
}
