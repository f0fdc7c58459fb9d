import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Command, StatementResult } from '../sql/command.ts'
import { latestRevisionSql } from './employees.ts'

/** Returns a function that runs commands on this connection. It prepares each statement once. */
export function createRunCommand(database: DatabaseSync): <T>(command: Command<T>) => T {
  const statements = new Map<string, (values: readonly unknown[]) => StatementResult>()

  function prepare(sql: string) {
    const statement = database.prepare(toSqlite(sql))
    const run =
      statement.columns().length > 0
        ? (values: SQLInputValue[]) => ({ rows: statement.all(...values), changes: 0 })
        : (values: SQLInputValue[]) => ({ rows: [], changes: Number(statement.run(...values).changes) })
    const runWith = (values: readonly unknown[]) => run(values.map(toInput))
    statements.set(sql, runWith)
    return runWith
  }

  return (command) => {
    let step = command.next()
    while (!step.done) {
      const { sql, values, all } = step.value
      const run = statements.get(sql) ?? prepare(sql)
      if (all) for (const each of all) run(each)
      step = command.next(all ? { rows: [], changes: 0 } : run(values))
    }
    return step.value
  }
}

/** Translates the SQL of commands, see `Command`. Only one process writes, so there are no row locks. */
const toSqlite = (sql: string) =>
  sql
    .replace(/\s+FOR (NO KEY UPDATE|KEY SHARE|UPDATE SKIP LOCKED|UPDATE|SHARE)/g, '')
    .replaceAll('= ANY (?)', 'IN (SELECT value FROM json_each(?))')
    .replaceAll('greatest(', 'max(')
    .replaceAll('now_ms()', "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)")
    .replaceAll('latest_revision()', `(SELECT ${latestRevisionSql} FROM register)`)

const toInput = (value: unknown) =>
  (Array.isArray(value) ? JSON.stringify(value) : (value ?? null)) as SQLInputValue
