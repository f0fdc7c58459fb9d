import pg from 'pg'

/** Milliseconds. */
const timeoutsMs = {
  /** In which a connection must stand. */
  connect: 5000,
  /** In which a statement must be answered; a batch may take long, and a network that is gone says nothing. */
  statement: 60_000,
  /** In which another process's write must end. */
  lockWait: 30_000,
  /** After which the database gives up a process that fell silent amid a write, and lets the others write. */
  idleInTransaction: 15_000,
}

const connectionSettings = {
  application_name: 'staffbook',
  connectionTimeoutMillis: timeoutsMs.connect,
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
const sessionSettingsSql = `
  SET client_encoding TO 'UTF8';
  SET enable_seqscan TO off;
  SET max_parallel_workers_per_gather TO 0;
  SET jit TO off;
  SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`

/** Said once the connection stands: a pooler refuses what it does not know among the first words. */
const sessionTimeoutsSql = `
  SET lock_timeout TO ${timeoutsMs.lockWait};
  SET idle_in_transaction_session_timeout TO ${timeoutsMs.idleInTransaction};`

/**
 * One connection; what is sent at once travels at once. It says `end` when it is lost, and never `error`. A server's does
 * not wait for long; a `patient` one is for the operator's tools, whose statements take as long as they take.
 */
export async function connect(url: string, { patient = false } = {}): Promise<pg.Client> {
  const timeoutOptions = patient ? {} : { query_timeout: timeoutsMs.statement }
  const client = new pg.Client({
    ...connectionSettings,
    ...timeoutOptions,
    connectionString: url,
    pipeline: true,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(patient ? sessionSettingsSql : sessionTimeoutsSql + sessionSettingsSql)
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

/** Connections for single statements. One that is lost is replaced with the next statement. */
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

/** The database as it may be shown: without user and password. Also where the address cannot be read. */
export function describeDatabase(url: string): string {
  try {
    const { host, port, database } = new pg.Client(url)
    return `${host}:${port}/${database}`
  } catch {
    return 'that DATABASE_URL names'
  }
}
