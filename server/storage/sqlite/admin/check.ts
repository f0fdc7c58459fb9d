import type { DatabaseSync } from 'node:sqlite'
import type { EmployeeFields } from '../../../../contract/employees.ts'
import type { RecordsKey } from '../../encryption/field-encryption.ts'
import { keyProblems, recordProblems } from '../../integrity.ts'
import type { Examination } from '../../storage-admin.ts'
import { openForReading } from '../data-dir.ts'
import { latestRevision } from '../latest-revision.ts'
import { newestVersion, versionOf } from '../migrate.ts'
import { keyFit } from '../rekey.ts'

/** Looks at everything in a register that can be wrong, and changes nothing. */
export function examine(file: string, key: RecordsKey | undefined): Examination {
  let database: DatabaseSync | undefined
  try {
    database = openForReading(file)
    const version = versionOf(database)
    if (version !== newestVersion()) {
      return { ...nothing, problems: [`The schema is ${version}; this program knows ${newestVersion()}.`] }
    }
    const fit = keyFit(database, key)
    return {
      problems: [
        ...integrityProblems(database),
        ...(fit === 'fits' ? recordProblems(recordsIn(database), key) : [keyProblems[fit]]),
      ],
      records: count(database, 'SELECT count(eName) AS n FROM books'),
      accounts: count(database, 'SELECT count(*) AS n FROM accounts'),
      revision: count(database, `SELECT ${latestRevision} AS n FROM register`),
    }
  } catch (error) {
    return { ...nothing, problems: [`The file cannot be read: ${(error as Error).message}`] }
  } finally {
    database?.close()
  }
}

const nothing = { records: 0, accounts: 0, revision: 0 }

function count(database: DatabaseSync, sql: string): number {
  return Number(database.prepare(sql).get()?.n)
}

function integrityProblems(database: DatabaseSync): string[] {
  const integrity = database
    .prepare('PRAGMA integrity_check')
    .all()
    .map((row) => String(row.integrity_check))
  const orphans = database.prepare('PRAGMA foreign_key_check').all()
  return [
    ...integrity.filter((line) => line !== 'ok'),
    ...orphans.map(({ table, parent }) => `A row of ${table} has no ${parent}.`),
  ]
}

function recordsIn(database: DatabaseSync) {
  const sql = 'SELECT id, eName, email, password FROM books WHERE eName IS NOT NULL'
  return database.prepare(sql).iterate() as Iterable<EmployeeFields & { id: string }>
}
