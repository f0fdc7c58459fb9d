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
const manners = `
  SET client_encoding TO 'UTF8';
  SET enable_seqscan TO off;
  SET max_parallel_workers_per_gather TO 0;
  SET jit TO off;
  SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`

/** Said once the connection stands: a pooler refuses what it does not know among the first words. */
const bounds = `
  SET lock_timeout TO ${limits.lock};
  SET idle_in_transaction_session_timeout TO ${limits.silence};`

/**
 * One connection; what is sent at once travels at once. It says `end` when it is lost, and never `error`. A server's does
 * not wait for long; a `patient` one is for the operator's tools, whose statements take as long as they take.
 */
export async function connect(url: string, { patient = false } = {}): Promise<pg.Client> {
  const bounded = patient ? {} : { query_timeout: limits.statement }
  const client = new pg.Client({ ...settings, ...bounded, connectionString: url, pipeline: true })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(patient ? manners : bounds + manners)
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

/** Connections for single statements. One that is lost is replaced with the next statement. */
export function createPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    ...settings,
    query_timeout: limits.statement,
    connectionString: url,
    max: 8,
    onConnect: async (client) => void (await client.query(bounds + manners)),
  })
  pool.on('error', () => {})
  return pool
}

/** The database as it may be shown: without user and password. Also where the address cannot be read. */
export function nameOf(url: string): string {
  try {
    const { host, port, database } = new pg.Client(url)
    return `${host}:${port}/${database}`
  } catch {
    return 'that DATABASE_URL names'
  }
}
