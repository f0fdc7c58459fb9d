export interface Statement {
  sql: string
  values: readonly unknown[]
  /** Runs it with each of these values instead, and without a result. */
  all?: (readonly unknown[])[]
}

export interface StatementResult {
  rows: unknown[]
  /** The number of written rows. */
  changes: number
}

/**
 * A command on accounts, sessions, links or history, written once for both databases: a generator that yields statements
 * and receives their results. SQLite runs it synchronously in the writer's transaction, PostgreSQL awaits each statement.
 *
 * The SQL is PostgreSQL's, with `?` for parameters, and what `translateSql` translates: `= ANY (?)` with a list,
 * `RANGE (a, b) OF (?, ?, ?)` of an index, `greatest`, `now_ms()`, `latest_revision()`, and row locks, which SQLite does not need. Other
 * functions are refused, unless both have them.
 */
export type Command<T> = Generator<Statement, T, StatementResult>

export function* selectAll<Row>(sql: string, ...values: unknown[]): Command<Row[]> {
  return (yield { sql, values }).rows as Row[]
}

export function* selectOne<Row>(sql: string, ...values: unknown[]): Command<Row | undefined> {
  return (yield { sql, values }).rows[0] as Row | undefined
}

/**
 * Lets no other transaction write records or links until this one ends. Before any other lock: a round of PostgreSQL locks the
 * records and links that it writes after the register.
 */
export const lockRegister = (): Command<number> => execute('SELECT 1 FROM register FOR UPDATE')

/** Runs a statement once for each of the values; PostgreSQL does not wait for one before the next. */
export function* executeAll(sql: string, all: (readonly unknown[])[]): Command<void> {
  yield { sql, values: [], all }
}

/** Returns the number of written rows. */
export function* execute(sql: string, ...values: unknown[]): Command<number> {
  return (yield { sql, values }).changes
}
