import type { DatabaseSync } from 'node:sqlite'
import type { RecordsKey } from '../../encryption/field-encryption.ts'
import { type StoredFields, storedFieldsSql } from '../../field-columns.ts'
import { findRecordProblems, keyProblemMessages } from '../../integrity.ts'
import { type EncryptedPrevious, previousFieldsSql } from '../../previous-passwords.ts'
import type { IntegrityReport } from '../../storage-admin.ts'
import { StorageOpenError } from '../../types.ts'
import { openForReading } from '../data-dir.ts'
import { messageOf } from '../disk-errors.ts'
import { latestRevisionSql } from '../employees.ts'
import { latestSchemaVersion, readSchemaVersion } from '../migrate.ts'
import { checkStoredKey } from '../rekey.ts'
import { findSchemaProblems } from '../schema.ts'
import { checksumProblems } from './backup.ts'
import { verifyChecksum } from './checksum.ts'

/** Checks file, schema, key, foreign keys and records, and the checksum of a backup. Changes nothing. */
export function checkIntegrity(file: string, key: RecordsKey | undefined, isBackup = false): IntegrityReport {
  try {
    using database = openForReading(file)
    const version = readSchemaVersion(database)
    if (version !== latestSchemaVersion()) {
      return {
        ...emptyCounts,
        problems: [`The schema has version ${version}; this program requires ${latestSchemaVersion()}.`],
      }
    }
    const schemaProblems = findSchemaProblems(database)
    // A view or trigger could decide what the other checks see.
    if (schemaProblems.length > 0) return { ...emptyCounts, problems: schemaProblems }
    const keyCheck = checkStoredKey(database, key)
    return {
      problems: [
        ...integrityProblems(database),
        ...(keyCheck === 'match'
          ? findRecordProblems(
              iterate<StoredFields>(database, `${storedFieldsSql} OR NOT removed`),
              iterate<EncryptedPrevious>(database, previousFieldsSql),
              key,
            )
          : [keyProblemMessages[keyCheck]]),
        ...(isBackup && keyCheck === 'match' && key ? checksumProblem(database, key) : []),
      ],
      records: queryCount(database, 'SELECT count(*) AS n FROM books WHERE NOT removed'),
      accounts: queryCount(database, 'SELECT count(*) AS n FROM accounts'),
      revision: queryCount(database, `SELECT ${latestRevisionSql} AS n FROM register`),
    }
  } catch (error) {
    const message = messageOf(error)
    const problem = error instanceof StorageOpenError ? message : `The file cannot be read: ${message}`
    return { ...emptyCounts, problems: [problem] }
  }
}

function checksumProblem(backup: DatabaseSync, key: RecordsKey): string[] {
  const checksum = verifyChecksum(backup, key)
  return checksum === 'match' ? [] : [`The file ${checksumProblems[checksum]}.`]
}

const emptyCounts = { records: 0, accounts: 0, revision: 0 }

function queryCount(database: DatabaseSync, sql: string): number {
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

const iterate = <Row>(database: DatabaseSync, sql: string) =>
  database.prepare(sql).iterate() as Iterable<object> as Iterable<Row>
