import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Command, StatementResult } from '../sql/command.ts'
import { type Dialect, translateSql } from '../sql/dialect.ts'
import { latestRevisionSql } from './employees.ts'

/** Returns a function that runs commands on this connection. It prepares each statement once. */
export function createRunCommand(database: DatabaseSync): <T>(command: Command<T>) => T {
  const statements = new Map<string, (values: readonly unknown[]) => StatementResult>()

  function prepare(sql: string) {
    const statement = database.prepare(translateSql(sql, sqliteDialect))
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

/** Only one process writes, so there are no row locks. */
export const sqliteDialect: Dialect = {
  toParameter: (number) => `?${number}`,
  toAnyOf: (parameter) => `IN (SELECT value FROM json_each(${parameter}))`,
  // Of rows that are compared, SQLite finds only the first column in an index. With > and < in place of BETWEEN it may prefer an index
  // of fewer columns.
  toRange(columns, parameters) {
    const equal = columns.slice(0, -1).map((column, i) => `${column} = ${parameters[i]}`)
    const [from, to] = parameters.slice(-2)
    return [...equal, `${columns.at(-1)} BETWEEN ${from} AND ${to}`].join(' AND ')
  },
  hasRowLocks: false,
  greatest: 'max',
  now: "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)",
  latestRevision: `(SELECT ${latestRevisionSql} FROM register)`,
}

const toInput = (value: unknown) =>
  (Array.isArray(value) ? JSON.stringify(value) : (value ?? null)) as SQLInputValue
