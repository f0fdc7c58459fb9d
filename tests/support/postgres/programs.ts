import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installPackages } from '../../../scripts/system-packages.ts'
import { findFreePort, findUnprivilegedAccount } from '../unprivileged.ts'

/** Returns the path of a program; installs its packages of Debian if that is possible. Throws if there is none. */
export function ensureProgram(name: string, packages = [name]): string {
  const find = () =>
    [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
      .map((folder) => join(folder, name))
      .find((path) => existsSync(path))
  if (!find()) installPackages(`${name}, for the PostgreSQL tests,`, packages)
  const found = find()
  if (found) return found
  throw new Error(`${name} was not found. Install it.`)
}

/**
 * Starts a program that listens on a port, with a configuration file in a folder of its own, into which it may write.
 * Resolves when it accepts connections.
 */
export async function startProgram(
  name: string,
  args: (file: string) => string[],
  configuration: string | ((folder: string) => string),
  port: number,
) {
  const folder = mkdtempSync(join(tmpdir(), `staffbook-${name}-`))
  const file = join(folder, 'configuration')
  writeFileSync(file, typeof configuration === 'string' ? configuration : configuration(folder))
  const owner = findUnprivilegedAccount()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const child = spawn(ensureProgram(name), args(file), {
    ...owner,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      output += bytes
    })
  }
  const killOnExit = () => child.kill('SIGKILL')
  process.once('exit', killOnExit)
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${output}`)
    await sleep(20)
  }
  return {
    folder,
    kill: () => end(child),
    async stop() {
      process.off('exit', killOnExit)
      await end(child)
      rmSync(folder, { recursive: true })
    },
  }
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return once(socket, 'connect')
    .then(() => true)
    .catch(() => false)
    .finally(() => socket.destroy())
}

/** Starts an HAProxy that gives each request to the next of the servers that are ready. */
export async function startHaproxy(serverUrls: string[]) {
  const port = await findFreePort()
  const servers = serverUrls.map(
    (url, i) => `  server s${i} ${new URL(url).host} check inter 200ms fall 1 rise 1`,
  )
  const configuration = `global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 5s
  option http-server-close
frontend all
  bind 127.0.0.1:${port}
  default_backend servers
backend servers
  balance roundrobin
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost
${servers.join('\n')}
`
  const program = await startProgram('haproxy', (file) => ['-f', file, '-db'], configuration, port)
  return { ...program, url: `http://127.0.0.1:${port}` }
}
