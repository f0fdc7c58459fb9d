import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fieldColumns } from '../../field-columns.ts'
import type { BackupVerification } from '../../storage-admin.ts'
import { removeAtEnd } from '../../temporary/remove-at-end.ts'
import { databaseFile, openForReading, requireLatestSchema } from '../data-dir.ts'
import { latestRevisionSql } from '../employees.ts'
import { type RestoreOptions, requireBackup, restore } from './backup.ts'
import { checkIntegrity } from './check.ts'

/**
 * Restores the backup into a temporary folder and checks the result. Then compares the backup with the database of `folder`
 * at the revision of the backup, as far as nothing has changed since; a server may be running. Throws `StorageOpenError`.
 */
export function verifyBackup(folder: string, backup: string, options: RestoreOptions): BackupVerification {
  requireBackup(backup)
  const restored = mkdtempSync(join(tmpdir(), 'staffbook-verify-'))
  using _temporary = removeAtEnd(restored)
  restore(restored, backup, options)
  const { problems, ...counts } = checkIntegrity(databaseFile(restored), options.key)
  const { differences, ...compared } = compare(databaseFile(folder), backup, databaseFile(restored))
  const differenceProblems = differences.map((id) => `Record ${id} is not as it was at this commit.`)
  return { problems: [...problems, ...differenceProblems], ...counts, ...compared }
}

const headSql = `SELECT ${latestRevisionSql} AS revision, epoch FROM register`

/** Records up to the revision must be in both; those in the backup may have changed later, or been wiped. */
const differencesSql = `
  SELECT id FROM books AS current WHERE revision <= $revision AND NOT EXISTS (
    SELECT 1 FROM backup.books AS saved
    WHERE saved.seq = current.seq AND saved.id = current.id AND saved.revision = current.revision
      AND saved.removed = current.removed AND (current.removed AND current.${fieldColumns[0]} IS NULL
        OR ${fieldColumns.map((column) => `saved.${column} IS current.${column}`).join(' AND ')}))
  UNION
  SELECT id FROM backup.books AS saved WHERE NOT EXISTS (
    SELECT 1 FROM books AS current
    WHERE current.seq = saved.seq AND current.id = saved.id AND current.revision >= saved.revision)`

/** `restored`: the backup with the latest schema. A restore has given it another epoch. */
function compare(file: string, backup: string, restored: string) {
  const saved = openForReading(backup)
  const { revision, epoch } = saved.prepare(headSql).get() as { revision: number; epoch: string }
  saved.close()
  const result = (comparison: BackupVerification['comparison'], differences: string[] = []) => ({
    revision,
    comparison,
    differences,
  })
  if (!existsSync(file)) return result('no-database')
  requireLatestSchema(file)
  using database = openForReading(file)
  if (database.prepare('SELECT epoch FROM register').get()?.epoch !== epoch) return result('other-database')
  database.prepare('ATTACH ? AS backup').run(restored)
  const rows = database.prepare(differencesSql).all({ revision })
  return result(
    'compared',
    rows.map(({ id }) => String(id)),
  )
}
