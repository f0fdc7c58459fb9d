import type { DatabaseSync } from 'node:sqlite'
import type { EmployeeFields } from '../../../contract/employees.ts'
import { type RecordsKey, sealingWith } from '../sealing.ts'
import type { Examination } from '../tools.ts'
import { connect } from './connect.ts'
import { newestVersion, versionOf } from './migrate.ts'
import { keyFit } from './records-key.ts'

/** Looks at everything in a register that can be wrong, and changes nothing. */
export function examine(file: string, key: RecordsKey | undefined): Examination {
  const database = connect(file, { readOnly: true })
  try {
    const version = versionOf(database)
    if (version !== newestVersion()) {
      return { ...nothing, problems: [`The schema is ${version}; this program knows ${newestVersion()}.`] }
    }
    const fit = keyFit(database, key)
    return {
      problems: [
        ...integrityProblems(database),
        ...(fit === 'fits' ? recordProblems(database, key) : [keyProblems[fit]]),
      ],
      records: count(database, 'SELECT count(eName) AS n FROM books'),
      accounts: count(database, 'SELECT count(*) AS n FROM accounts'),
      revision: count(
        database,
        'SELECT max(floor, (SELECT coalesce(max(revision), 0) FROM books)) AS n FROM register',
      ),
    }
  } catch (error) {
    return { ...nothing, problems: [`The file cannot be read: ${(error as Error).message}`] }
  } finally {
    database.close()
  }
}

const nothing = { records: 0, accounts: 0, revision: 0 }

const keyProblems = {
  'needs-key': 'The records are encrypted: set RECORDS_KEY to have them examined too.',
  'wrong-key': 'RECORDS_KEY is not the key of this register.',
  'is-plain': 'RECORDS_KEY is set, and the records are not encrypted.',
}

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

function recordProblems(database: DatabaseSync, key: RecordsKey | undefined): string[] {
  const sealing = sealingWith(key)
  const problems: string[] = []
  const rows = database
    .prepare('SELECT id, eName, email, password FROM books WHERE eName IS NOT NULL')
    .iterate()
  for (const { id, ...fields } of rows as Iterable<EmployeeFields & { id: string }>) {
    try {
      const values = Object.values(sealing.open(id, fields))
      if (!values.every((value) => typeof value === 'string')) problems.push(`Record ${id} is not text.`)
    } catch {
      problems.push(`Record ${id} cannot be opened with the key.`)
    }
  }
  return problems
}
