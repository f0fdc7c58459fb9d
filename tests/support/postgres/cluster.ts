import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { ensurePostgres } from './binaries.ts'

export type Cluster = Awaited<ReturnType<typeof startCluster>>

/** Starts a PostgreSQL in a temporary folder on a free port of 127.0.0.1, with default settings for durability. */
export async function startCluster() {
  const bin = ensurePostgres()
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-postgres-'))
  const owner = findUnprivilegedAccount()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  const log = join(folder, 'log')
  const port = await findFreePort()
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`

  function runTool(name: string, ...args: string[]) {
    const result = spawnSync(join(bin, name), args, { ...owner, cwd: folder, encoding: 'utf8' })
    if (result.status !== 0) throw new Error(`${name} failed: ${result.stderr}${result.stdout}`)
  }

  /** Without `stdio: 'ignore'` the server would inherit and hold open our output. */
  async function runPgCtl(...args: string[]) {
    const child = spawn(join(bin, 'pg_ctl'), ['-D', data, '-w', '-t', '120', ...args], {
      ...owner,
      cwd: folder,
      stdio: 'ignore',
    })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`pg_ctl ${args.join(' ')} failed: ${readFileSync(log, 'utf8')}`)
  }

  const start = () => runPgCtl('-l', log, '-o', settings, 'start')
  const stop = (mode: 'fast' | 'immediate') => runPgCtl('-m', mode, 'stop')

  // Explicit options, so that the machine's locale and defaults have no effect.
  runTool('initdb', '-D', data, '-U', 'staffbook', '-A', 'trust', '-E', 'UTF8', '--no-locale')
  await start()
  // An interrupted run must not leave its database running.
  const stopOnExit = () =>
    spawnSync(join(bin, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop'], { ...owner })
  process.once('exit', stopOnExit)
  return {
    bin,
    folder,
    url: `postgres://staffbook@127.0.0.1:${port}/postgres`,
    start,
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

let schemaCount = 0

/** Creates an empty schema in the cluster. Returns a URL that selects it. */
export async function createSchema(url: string): Promise<string> {
  schemaCount += 1
  const name = `test_${process.pid}_${schemaCount}`
  await query(url, `CREATE SCHEMA ${name}`)
  const schemaUrl = new URL(url)
  schemaUrl.searchParams.set('options', `-csearch_path=${name}`)
  return schemaUrl.href
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

/** PostgreSQL refuses to run as root. Undefined if we are not root. */
function findUnprivilegedAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n')
  const found = ['postgres', 'nobody']
    .map((name) => accounts.find((line) => line.startsWith(`${name}:`)))
    .find(Boolean)
  const [, , uid, gid] = (found ?? '').split(':').map(Number)
  if (!uid || !gid)
    throw new Error(
      'PostgreSQL does not run as root, and there is no account "postgres" or "nobody" to run it.',
    )
  return { uid, gid }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
