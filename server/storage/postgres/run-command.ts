import type { Command } from '../sql/command.ts'
import { type Dialect, translateSql } from '../sql/dialect.ts'
import { type CommandRunner, sqlCommands } from '../sql/storage.ts'
import type { Pool } from './connect.ts'
import { throwReadError } from './errors.ts'
import { inPooledTransaction, type Query } from './transaction.ts'

/** SQL: the time of the statement, in milliseconds since 1970. A cast alone would round it into the future. */
export const nowSql = 'floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint'

export const postgresDialect: Dialect = {
  toParameter: (number) => `$${number}`,
  toAnyOf: (parameter) => `= ANY (${parameter})`,
  // As rows: of columns that equal something, PostgreSQL drops those from the order, and then prefers to read the whole table in the
  // order of its numbers, even to find nothing.
  toRange(columns, parameters) {
    const row = `(${columns.join(', ')})`
    const [from, to] = [parameters.toSpliced(-1, 1), parameters.toSpliced(-2, 1)]
    return `${row} >= (${from.join(', ')}) AND ${row} <= (${to.join(', ')})`
  },
  hasRowLocks: true,
  greatest: 'greatest',
  now: nowSql,
  latestRevision: '(SELECT revision FROM register FOR SHARE)',
}

/** Runs commands that read with single statements, and those that write in transactions. */
export function createCommandRunner(pool: Pool): CommandRunner {
  return {
    read: (command) => runCommand((sql, values) => pool.query(sql, values).catch(throwReadError), command),
    write(name, ...args) {
      const create = sqlCommands[name] as (...args: unknown[]) => Command<never>
      return inPooledTransaction(pool, (query) => runCommand(query, create(...args)))
    },
  }
}

/** Statements of `executeAll` that are sent without a response to those before them. */
const maxPipelined = 1000

export async function runCommand<T>(query: Query, command: Command<T>): Promise<T> {
  let step = command.next()
  while (!step.done) {
    const { sql, values, all } = step.value
    if (all) {
      for (let i = 0; i < all.length; i += maxPipelined)
        await Promise.all(all.slice(i, i + maxPipelined).map((each) => query(toPostgres(sql), [...each])))
      step = command.next({ rows: [], changes: 0 })
    } else {
      const { rows, rowCount } = await query(toPostgres(sql), [...values])
      step = command.next({ rows, changes: rowCount ?? 0 })
    }
  }
  return step.value
}

const translations = new Map<string, string>()

function toPostgres(sql: string): string {
  let translated = translations.get(sql)
  if (translated === undefined) {
    translated = translateSql(sql, postgresDialect)
    translations.set(sql, translated)
  }
  return translated
}

/**
 * Collects the queries of one turn of the event loop and runs them as one. `runBatch` resolves with a function that
 * returns the result of each query.
 */
export function batchQueries<Q, R>(runBatch: (queries: Q[]) => Promise<(query: Q) => R>) {
  let pendingBatch: { queries: Q[]; results: Promise<(query: Q) => R> } | undefined

  function startBatch() {
    const queries: Q[] = []
    const results = new Promise(setImmediate).then(() => {
      pendingBatch = undefined
      return runBatch(queries)
    })
    return { queries, results }
  }

  return async (query: Q): Promise<R> => {
    pendingBatch ??= startBatch()
    const { queries, results } = pendingBatch
    queries.push(query)
    return (await results)(query)
  }
}
