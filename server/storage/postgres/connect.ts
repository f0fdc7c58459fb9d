import pg from 'pg'

const timeoutsMs = {
  connect: 5000,
  /** A batch may take long; without a timeout a lost network connection would go unnoticed. */
  statement: 60_000,
  /** How long a write waits for another process's write. */
  lockWait: 30_000,
  /** How long a process that hangs during a write can block the others. */
  idleInTransaction: 15_000,
}

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
 * `synchronous_commit`: a commit returns after its fsync; stricter settings of the database remain in effect. The planner settings:
 * all statements find few rows by an index, but without current statistics the planner expects a third of the table and
 * chooses slow scans, parallel workers or JIT compilation.
 */
const sessionSettingsSql = `
  SET client_encoding TO 'UTF8';
  SET enable_seqscan TO off;
  SET max_parallel_workers_per_gather TO 0;
  SET jit TO off;
  SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`

/** Sent after connecting, because a pooler rejects unknown startup parameters. */
const sessionTimeoutsSql = `
  SET lock_timeout TO ${timeoutsMs.lockWait};
  SET idle_in_transaction_session_timeout TO ${timeoutsMs.idleInTransaction};`

/**
 * Opens a connection that pipelines its queries. Emits `end` when it is lost, never `error`. `withoutTimeouts` is for
 * the operator's commands, whose statements may take long.
 */
export async function connect(url: string, { withoutTimeouts = false } = {}): Promise<pg.Client> {
  const timeoutOptions = withoutTimeouts ? {} : { query_timeout: timeoutsMs.statement }
  const client = new pg.Client({
    ...connectionSettings,
    ...timeoutOptions,
    connectionString: url,
    pipeline: true,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(withoutTimeouts ? sessionSettingsSql : sessionTimeoutsSql + sessionSettingsSql)
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

/** Connections for single statements. The pool replaces a lost one. */
export function createPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    ...connectionSettings,
    query_timeout: timeoutsMs.statement,
    connectionString: url,
    max: 8,
    onConnect: async (client) => void (await client.query(sessionTimeoutsSql + sessionSettingsSql)),
  })
  pool.on('error', () => {})
  return pool
}

/** Host, port and name of the database, without user and password. Does not throw if the URL is invalid. Continues "The database". */
export function describeDatabase(url: string): string {
  try {
    const { host, port, database } = new pg.Client(url)
    return `${host}:${port}/${database}`
  } catch {
    return 'that DATABASE_URL names'
  }
}
