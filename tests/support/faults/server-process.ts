import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { cleanUpAfterTest } from '../cleanup.ts'
import { minimalEnvironment } from '../environment.ts'
import { withClients } from '../http-client.ts'
import { timeouts } from '../timeouts.ts'

const serverMain = fileURLToPath(new URL('../../../server/main.ts', import.meta.url))

export type ServerProcess = Awaited<ReturnType<typeof startServerProcess>>

/**
 * Starts the server in a process of its own, on a free port, configured by its environment only. It is killed at the end of
 * the test that has started it.
 */
export const startServerProcess = (environment: Record<string, string>, program = serverMain) =>
  spawnServer([process.execPath, program], environment)

/** Starts a server with a command, if `detached` in a process group that receives signals as a whole. */
export async function spawnServer(
  [command = '', ...args]: string[],
  environment: NodeJS.ProcessEnv,
  detached = false,
) {
  const child = spawn(command, args, {
    env: { ...minimalEnvironment(), PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  })
  const kill = (signal: NodeJS.Signals) =>
    detached ? process.kill(-(child.pid as number), signal) : child.kill(signal)
  // A failed test must not leave its server running.
  const killOnExit = () => kill('SIGKILL')
  process.once('exit', killOnExit)
  child.once('exit', () => process.off('exit', killOnExit))
  const output = { out: '', err: '' }
  child.stdout.on('data', (bytes) => {
    output.out += bytes
  })
  child.stderr.on('data', (bytes) => {
    output.err += bytes
  })
  // Not `exit`: afterwards there may still be output to read.
  const exited = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const url = await waitForUrl(child, output, exited)
  async function end(signal: NodeJS.Signals = 'SIGKILL') {
    if (child.exitCode === null && child.signalCode === null) kill(signal)
    const [code, exitSignal] = await exited
    return code ?? exitSignal
  }
  cleanUpAfterTest(end)
  return withClients({
    url,
    pid: child.pid as number,
    output,
    /** Resolves with the exit code, or the signal's name. */
    exited: exited.then(([code, signal]) => code ?? signal),
    kill: end,
  })
}

/** The server exited, with `code`, before it listened. */
export class ServerStartError extends Error {
  readonly code: number | null

  constructor(code: number | null, message: string) {
    super(message)
    this.name = 'ServerStartError'
    this.code = code
  }
}

async function waitForUrl(
  child: ChildProcess,
  output: { out: string; err: string },
  exited: Promise<[number | null, unknown]>,
): Promise<string> {
  const failed = exited.then(([code]) => {
    throw new ServerStartError(code, output.err)
  })
  // No error: on a busy machine it may start later.
  const report = () =>
    console.warn(`The server ${child.pid} has not started yet.\n${output.out}${output.err}`)
  const reporting = setTimeout(report, timeouts.conditionMs)
  failed.catch(() => clearTimeout(reporting))
  for (;;) {
    await Promise.race([failed, once(child.stdout as NonNullable<typeof child.stdout>, 'data')])
    const url = /http:\/\/\S+/.exec(output.out)?.[0]
    if (!url) continue
    clearTimeout(reporting)
    return url
  }
}
