import pg from 'pg'

/** Milliseconds. */
const limits = {
  /** In which a connection must stand. */
  connecting: 5000,
  /** In which a statement must be answered; a batch may take long, and a network that is gone says nothing. */
  statement: 60_000,
  /** In which another process's write must end. */
  lock: 30_000,
  /** After which the database gives up a process that fell silent amid a write, and lets the others write. */
  silence: 15_000,
}

const settings = {
  application_name: 'staffbook',
  connectionTimeoutMillis: limits.connecting,
  query_timeout: limits.statement,
  lock_timeout: limits.lock,
  idle_in_transaction_session_timeout: limits.silence,
  keepAlive: true,
  types: {
    /** Revisions, places and times are far below 2^53. */
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
  },
}

/**
 * A commit is answered once it is on the disk, where the database is set to less; what is set to more stays. Our
 * statements find few rows by an index. A planner without statistics, as of a table that grows fast, expects a third of
 * all, and spends many times as long on a scan, on workers for it, or on compiling it.
 */
const begin = `
  SET client_encoding TO 'UTF8';
  SET enable_seqscan TO off;
  SET max_parallel_workers_per_gather TO 0;
  SET jit TO off;
  SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`

/** One connection; what is sent at once travels at once. It says `end` when it is lost, and never `error`. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ ...settings, connectionString: url, pipeline: true })
  client.on('error', () => {})
  await client.connect()
  await client.query(begin)
  return client
}

/** Connections for single statements. One that is lost is replaced with the next statement. */
export function createPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    ...settings,
    connectionString: url,
    max: 8,
    onConnect: async (client) => void (await client.query(begin)),
  })
  pool.on('error', () => {})
  return pool
}

/** The database as it may be shown: without user and password. */
export function nameOf(url: string): string {
  const { host, port, database } = new pg.Client(url)
  return `${host}:${port}/${database}`
}
