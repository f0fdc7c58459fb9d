import pg from 'pg'
import { StorageError, type StorageErrorKind } from '../types.ts'

/** SQLSTATE codes and classes of errors that concern the database, not the statement. Codes precede their class. */
const sqlstateKinds: [sqlstate: string, kind: StorageErrorKind][] = [
  ['53100', 'full'], // disk_full
  ['57014', 'busy'], // query_canceled: a timeout
  ['55P03', 'busy'], // lock_not_available
  ['40', 'busy'], // transaction_rollback: deadlock
  ['08', 'unavailable'], // connection_exception
  ['25006', 'unavailable'], // read_only_sql_transaction: a standby
  ['25P03', 'unavailable'], // idle_in_transaction_session_timeout
  ['28', 'unavailable'], // invalid_authorization_specification
  ['3D', 'unavailable'], // invalid_catalog_name: no such database
  ['53', 'unavailable'], // insufficient_resources
  ['57', 'unavailable'], // operator_intervention: shut down, crashed, starting up
  ['58', 'unavailable'], // system_error
]

const kindMessages: Record<Exclude<StorageErrorKind, 'uncertain' | 'register-full'>, string> = {
  full: 'The disk of the database is full.',
  busy: 'The database is busy.',
  unavailable: 'The database cannot be reached.',
}

/** Ignores a failed query. The caller says why nothing depends on its result. */
export const ignoreError = (): void => {}

/** Undefined if the statement itself is at fault. */
export function toStorageError(error: unknown): StorageError | undefined {
  if (error instanceof StorageError) return error
  const code = sqlstateOf(error)
  const kind =
    code === undefined ? 'unavailable' : sqlstateKinds.find(([start]) => code.startsWith(start))?.[1]
  return kind && new StorageError(kind, kindMessages[kind as keyof typeof kindMessages], { cause: error })
}

/** True if the connection ended, so that the outcome of a sent statement is unknown. */
function isConnectionLost(error: unknown): boolean {
  const code = sqlstateOf(error)
  return code === undefined || /^(08|25P03|57P)/.test(code)
}

/** Handles the error of a query that does not commit. */
export function throwReadError(error: unknown): never {
  throw toStorageError(error) ?? redactValues(error)
}

/** Handles the error of a query that commits: without a response the write is `uncertain`. */
export function throwWriteError(error: unknown): never {
  if (!isConnectionLost(error)) return throwReadError(error)
  const message = 'The connection to the database was lost before it confirmed whether this was saved.'
  throw new StorageError('uncertain', message, { cause: error })
}

/** Undefined for errors of the driver and the network, whose `code` is of another kind, such as `EPIPE`. */
function sqlstateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/**
 * An error that is safe to log. In PostgreSQL's own error `detail` and `where` quote whole rows, and the message of a
 * data exception (class 22) quotes the value.
 */
function redactValues(error: unknown): Error {
  const { code, message, table, constraint } = error as pg.DatabaseError
  const location = [code, table, constraint].filter(Boolean).join(', ')
  const problem = code?.startsWith('22') ? '' : `: ${message}`
  return new Error(`The database rejected a statement (${location})${problem}.`)
}
