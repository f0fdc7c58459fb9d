import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findFreePort, findUnprivilegedAccount } from '../unprivileged.ts'
import { ensurePostgres } from './binaries.ts'

export type Cluster = Awaited<ReturnType<typeof startCluster>>

export interface ClusterOptions {
  /** The folder of its programs. */
  bin?: string
  /** Such as `fsync=off`. */
  settings?: string[]
  /** Starts as a copy of this cluster's data, which must be stopped. */
  copyOf?: { data: string }
  /** Makes the copy a standby. */
  standbyOf?: { port: number }
  /** Readable by everyone; copied into the data. */
  certificate?: { cert: string; key: string }
}

/** Starts a PostgreSQL in a temporary folder on a free port of 127.0.0.1, with default settings for durability. */
export async function startCluster(given: ClusterOptions = {}) {
  const { settings = [], copyOf, standbyOf, certificate } = given
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-postgres-'))
  const owner = findUnprivilegedAccount()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const bin = makeRunnable(given.bin ?? ensurePostgres(), folder, owner)
  const data = join(folder, 'data')
  const log = join(folder, 'log')

  function runTool(name: string, ...args: string[]) {
    const result = spawnSync(join(bin, name), args, { ...owner, cwd: folder, encoding: 'utf8' })
    if (result.status !== 0) throw new Error(`${name} failed: ${result.stderr}${result.stdout}`)
  }

  // Explicit options, so that the machine's locale and defaults have no effect.
  if (!copyOf)
    runTool('initdb', '--no-sync', '-D', data, '-U', 'staffbook', '-A', 'trust', '-E', 'UTF8', '--no-locale')
  else spawnSync('cp', ['-a', copyOf.data, data])
  if (standbyOf) {
    writeFileSync(join(data, 'standby.signal'), '')
    const primary = `host=127.0.0.1 port=${standbyOf.port} user=staffbook application_name=standby`
    writeFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`, { flag: 'a' })
  }
  if (certificate) {
    for (const [kind, path] of Object.entries(certificate)) {
      const target = join(data, kind)
      copyFileSync(path, target)
      chmodSync(target, 0o600)
      if (owner) chownSync(target, owner.uid, owner.gid)
    }
  }
  // Chosen late, so that nobody else takes it before the start.
  const port = await findFreePort()
  const options = [
    `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`,
    ...settings.map((setting) => `-c ${setting}`),
    ...(certificate ? ['-c ssl=on -c ssl_cert_file=cert -c ssl_key_file=key'] : []),
  ].join(' ')

  /** The server would inherit and hold open our output without `stdio: 'ignore'`. */
  async function runPgCtl(...args: string[]) {
    const child = spawn(join(bin, 'pg_ctl'), ['-D', data, '-w', '-t', '120', ...args], {
      ...owner,
      cwd: folder,
      stdio: 'ignore',
    })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`pg_ctl ${args.join(' ')} failed: ${readFileSync(log, 'utf8')}`)
  }

  const start = () => runPgCtl('-l', log, '-o', options, 'start')
  const stop = (mode: 'fast' | 'immediate') => runPgCtl('-m', mode, 'stop')

  await start()
  // An interrupted run must not leave its database running.
  const stopOnExit = () =>
    spawnSync(join(bin, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop'], { ...owner })
  process.once('exit', stopOnExit)
  return {
    bin,
    folder,
    data,
    port,
    url: `postgres://staffbook@127.0.0.1:${port}/postgres`,
    start,
    promote: () => runPgCtl('promote'),
    /** Stops all its processes without ending them or closing a connection; `SIGCONT` continues. */
    signalAll: (signal: 'SIGSTOP' | 'SIGCONT') => signalPostgres(data, signal),
    /** `immediate` is like a crash: no shutdown checkpoint, no clean disconnects. */
    stop,
    /** Stops like a crash, restarts as a standby and promotes it. */
    async failOver() {
      await stop('immediate')
      writeFileSync(join(data, 'standby.signal'), '')
      await start()
      await runPgCtl('promote')
    },
    /** Stops the server and removes the folder. */
    async remove() {
      process.off('exit', stopOnExit)
      await stop('immediate').catch(() => 'already stopped')
      rmSync(folder, { recursive: true })
    },
  }
}

/** Sends a signal to all processes of the PostgreSQL with this data, if it runs. */
export function signalPostgres(data: string, signal: NodeJS.Signals): void {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const processes = stdout.split('\n').map((line) => line.trim().split(/ +/))
  const postmaster = processes.find((fields) =>
    fields.slice(2).join(' ').includes(`/postgres -D ${data}`),
  )?.[0]
  if (!postmaster) return
  const children = processes.filter(([, parent]) => parent === postmaster).map(([pid]) => pid as string)
  spawnSync('kill', [`-${signal.slice(3)}`, postmaster, ...children])
}

const databases = new Map<string, Promise<string>>()
let count = 0

/** Creates an empty database in the cluster. Returns its URL. */
export async function createDatabase(clusterUrl: string): Promise<string> {
  const name = `test_${process.pid}_${++count}`
  await query(clusterUrl, `CREATE DATABASE ${name}`)
  return clusterUrl.replace(/postgres$/, name)
}

/**
 * Creates an empty schema, which costs less than a database. Returns a URL that selects it. Each process of the test runner
 * has a database of its own for its schemas, because servers lock their database.
 */
export async function createSchema(clusterUrl: string): Promise<string> {
  const creating = databases.get(clusterUrl) ?? createDatabase(clusterUrl)
  databases.set(clusterUrl, creating)
  const url = new URL(await creating)
  const name = `test_${++count}`
  await query(url.href, `CREATE SCHEMA ${name}`)
  url.searchParams.set('options', `-csearch_path=${name}`)
  return url.href
}

export async function query(url: string, sql: string, values: unknown[] = []) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** Changes the settings of a cluster, and makes it read them. */
export async function configure(url: string, ...statements: string[]) {
  for (const sql of [...statements, 'SELECT pg_reload_conf()']) await query(url, sql)
}

/** Programs in a folder that the account may not enter are copied. */
function makeRunnable(bin: string, folder: string, owner: { uid: number; gid: number } | undefined): string {
  if (!owner || spawnSync(join(bin, 'postgres'), ['--version'], owner).status === 0) return bin
  cpSync(join(bin, '..'), join(folder, 'programs'), { recursive: true, verbatimSymlinks: true })
  return join(folder, 'programs', 'bin')
}
