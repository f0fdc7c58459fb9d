import type { Duplex } from 'node:stream'
import pg from 'pg'
import { parseDatabaseUrl } from '../database-settings.ts'
import { StorageOpenError } from '../types.ts'

const timeoutsMs = {
  connect: 3000,
  /** A batch may take long; without a timeout a lost network connection would go unnoticed. */
  batchStatement: 60_000,
  batchLock: 30_000,
  statement: 4000,
  /** Limits a call until its response, with the wait for a connection. */
  call: 4500,
}

/** How long a process that hangs during a write can block the others. */
const maxIdleInTransactionMs = 15_000

const connectionSettings = {
  application_name: 'staffbook',
  connectionTimeoutMillis: timeoutsMs.connect,
  keepAlive: true,
  types: {
    /** bigint as a number: revisions, sequences and times are far below 2^53. */
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
  },
}

/**
 * The planner settings: all statements find few rows by an index, but without current statistics the planner expects a
 * third of the table and chooses slow scans, parallel workers or JIT compilation.
 */
const plannerSettings = { enable_seqscan: 'off', max_parallel_workers_per_gather: '0', jit: 'off' }

/** How the database reads what is sent: fields may be missing in an array. */
const readingSettings = { client_encoding: 'UTF8', array_nulls: 'on' }

const timeoutSettings = {
  /** How long a write waits for another process's write. */
  lock_timeout: String(timeoutsMs.statement),
  idle_in_transaction_session_timeout: String(maxIdleInTransactionMs),
}

/** A commit returns after its fsync; stricter settings of the database remain in effect. */
function settingsSql(settings: Record<string, string>) {
  const values = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`)
  return `SELECT pg_backend_pid() AS pid, ${values}, CASE current_setting('synchronous_commit') WHEN 'off'
    THEN set_config('synchronous_commit', 'on', false) END, ${keepIdleSql}`
}

/** A server that nobody uses would lose its connections, and answer the next request with 503. Not before PostgreSQL 14. */
const keepIdleSql = `(SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout')`

/**
 * Begins a write. Each statement reads what was committed before it, also where the default isolation level is another.
 * A batch may wait for another one.
 */
export function beginSql(isBatch: boolean): string {
  const waitSql = isBatch ? `; SET LOCAL lock_timeout TO ${timeoutsMs.batchLock}` : ''
  return `BEGIN ISOLATION LEVEL READ COMMITTED${waitSql}`
}

/** A connection that pipelines its queries. Emits `end` when it is lost, never `error`. */
export class DatabaseClient extends pg.Client {
  readonly url: string
  /** The process of the database that serves this connection. A pooler invents the `processID` that it sends. */
  backendId = 0
  declare readonly processID: number

  constructor(url: string, options: pg.ClientConfig) {
    super({ ...connectionSettings, ...options, connectionString: url, pipeline: true } as pg.ClientConfig)
    this.url = url
    this.on('error', () => {})
  }

  /** Closes the connection without waiting for responses. */
  destroy(): void {
    const { connection } = this as unknown as { connection: { stream: Duplex } }
    connection.stream.destroy()
  }
}

/** Sets the session's settings after connecting, because a pooler rejects unknown startup parameters. Returns its process. */
async function prepareSession(client: pg.ClientBase, isOperator: boolean): Promise<number> {
  const settings = { ...readingSettings, ...plannerSettings, ...(isOperator ? {} : timeoutSettings) }
  return (await client.query(settingsSql(settings))).rows[0].pid
}

/**
 * Opens a connection to the first host that accepts one, and can write if there are several. `isOperator`: it serves a command of
 * the operator, whose statements may take long.
 */
export async function connect(text: string, isOperator = false): Promise<DatabaseClient> {
  const urls = parseDatabaseUrl(text)
  const errors: Error[] = []
  for (const url of urls) {
    const client = new DatabaseClient(url, isOperator ? {} : { query_timeout: timeoutsMs.batchStatement })
    try {
      await client.connect()
      client.backendId = await prepareSession(client, isOperator)
      if (client.backendId !== client.processID) await requireOwnSession(client)
      if (urls.length > 1) await requireWritable(client)
      return client
    } catch (error) {
      client.destroy()
      errors.push(error as Error)
    }
  }
  throw joinErrors(errors)
}

/**
 * Throws `StorageOpenError` if a pooler serves this connection and another one with the same session of the database, as in
 * its transaction mode: settings, locks and subscriptions would then be lost, or affect others.
 */
async function requireOwnSession(client: DatabaseClient) {
  const other = new DatabaseClient(client.url, {})
  await other.connect()
  try {
    const backendIds = []
    for (const each of [other, client])
      backendIds.push((await each.query('SELECT pg_backend_pid() AS pid')).rows[0].pid)
    if (backendIds[0] !== client.backendId && backendIds[1] === client.backendId) return
  } finally {
    await other.end()
  }
  throw new StorageOpenError(
    'is behind a pooler in transaction mode, which gives a connection no session of its own. Connect directly or through a pooler in session mode',
  )
}

async function requireWritable(client: pg.ClientBase) {
  const { rows } = await client.query("SELECT current_setting('transaction_read_only') AS read_only")
  if (rows[0].read_only === 'on') throw new Error('this host is a standby')
}

function joinErrors(errors: Error[]): Error {
  if (errors.length === 1) return errors[0] as Error
  const messages = errors.map(({ message, ...error }) => message || (error as { code?: string }).code)
  return new Error(messages.join('; '), { cause: errors[0] })
}

/** Connections for single statements. The pool replaces a lost one. A statement without a response within 4.5 s rejects. */
export function createPool(text: string, isOperator: boolean) {
  let url = parseDatabaseUrl(text)[0] as string
  let inner = createInner(url, isOperator)
  const inTime = <T>(call: Promise<T>) => (isOperator ? call : withinMs(timeoutsMs.call, call))

  async function runWithClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await inner.connect()
    let isFinished = false
    try {
      const result = await work(client)
      isFinished = true
      return result
    } finally {
      client.release(!isFinished)
    }
  }

  return {
    /** Uses another host of the database. The connections to the previous one are closed. */
    moveTo(newUrl: string): void {
      if (newUrl === url) return
      void inner.end()
      url = newUrl
      inner = createInner(url, isOperator)
    },
    query: (sql: string, values: unknown[] = []): Promise<pg.QueryResult> => inTime(inner.query(sql, values)),
    /** Runs `work` with one connection. If it rejects, closes the connection, which rolls back. */
    withClient: <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => inTime(runWithClient(work)),
    end: (): Promise<void> => inner.end(),
  }
}

export type Pool = ReturnType<typeof createPool>

function createInner(url: string, isOperator: boolean): pg.Pool {
  const pool = new pg.Pool({
    ...connectionSettings,
    ...(isOperator ? {} : { query_timeout: timeoutsMs.statement }),
    connectionString: url,
    max: 8,
    onConnect: async (client) => void (await prepareSession(client, isOperator)),
  })
  pool.on('error', () => {})
  return pool
}

/** Hosts, ports and name of the database, without user and password. Does not throw if the URL is invalid. Continues "The database". */
export function describeDatabase(url: string): string {
  try {
    const clients = parseDatabaseUrl(url).map((one) => new pg.Client(one))
    return `${clients.map(({ host, port }) => `${host}:${port}`).join(',')}/${clients[0]?.database}`
  } catch {
    return 'that DATABASE_URL names'
  }
}

/** Rejects if `work` has not settled within `limitMs`. `work` is not stopped. */
export async function withinMs<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const { promise: expired, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`The database has not responded within ${limitMs} ms.`)),
    limitMs,
  )
  try {
    return await Promise.race([work, expired])
  } finally {
    clearTimeout(timer)
  }
}
