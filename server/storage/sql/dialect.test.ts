import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { collectStatements, listCommands } from '../../../tests/support/statements.ts'
import { postgresDialect } from '../postgres/run-command.ts'
import { migrate } from '../sqlite/migrate.ts'
import { sqliteDialect } from '../sqlite/run-command.ts'
import { translateSql } from './dialect.ts'

describe('the SQL of commands', () => {
  it('is translated for both databases', () => {
    const sql = `UPDATE t SET a = greatest(a, ?), b = now_ms() WHERE c = ANY (?) AND d = ? FOR NO KEY UPDATE`
    expect(translateSql(sql, postgresDialect)).toMatch(
      /^UPDATE t SET a = greatest\(a, \$1\), b = floor.*::bigint WHERE c = ANY \(\$2\) AND d = \$3 FOR NO KEY UPDATE$/,
    )
    expect(translateSql(sql, sqliteDialect)).toBe(
      `UPDATE t SET a = max(a, ?1), b = ${sqliteDialect.now} WHERE c IN (SELECT value FROM json_each(?2)) AND d = ?3`,
    )
  })

  it('finds a range of an index in both databases', () => {
    const sql = 'SELECT id FROM t WHERE RANGE (a, b, id) OF (?, ?, ?, ?) AND c = ?'
    expect(translateSql(sql, postgresDialect)).toBe(
      'SELECT id FROM t WHERE (a, b, id) >= ($1, $2, $3) AND (a, b, id) <= ($1, $2, $4) AND c = $5',
    )
    expect(translateSql(sql, sqliteDialect)).toBe(
      'SELECT id FROM t WHERE a = ?1 AND b = ?2 AND id BETWEEN ?3 AND ?4 AND c = ?5',
    )
  })

  it('is left as it is within quotes', () => {
    const sql = `SELECT 'a ? b() FOR UPDATE, it''s now_ms()', "lower(" FROM t`
    expect(translateSql(sql, sqliteDialect)).toBe(sql)
    expect(translateSql(sql, postgresDialect)).toBe(sql)
  })

  it.each([
    'SELECT lower(a) FROM t',
    'SELECT unixepoch()',
    'SELECT now ()',
    'SELECT now_ms(1)',
    'SELECT a FROM json_each(?)',
  ])('is refused if it calls a function that is not one of both databases: %s', (sql) => {
    for (const dialect of [sqliteDialect, postgresDialect])
      expect(() => translateSql(sql, dialect)).toThrow('is not one that both databases have')
  })

  it.each(listCommands())('is prepared by SQLite, and translated for PostgreSQL: %s', (name, create) => {
    using database = new DatabaseSync(':memory:')
    migrate(database)
    const statements = collectStatements(name, create)
    expect(statements.size).toBeGreaterThan(0)
    for (const sql of statements) {
      expect(() => database.prepare(translateSql(sql, sqliteDialect)), sql).not.toThrow()
      expect(() => translateSql(sql, postgresDialect), sql).not.toThrow()
    }
  })
})
