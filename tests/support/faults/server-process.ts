import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { plainEnvironment } from '../environment.ts'

const main = fileURLToPath(new URL('../../../server/main.ts', import.meta.url))
const door = fileURLToPath(new URL('../../../scripts/run.js', import.meta.url))

export type ServerProcess = Awaited<ReturnType<typeof startProcess>>

/** The server as it is run: a process of its own, told by its environment alone, on a free port. */
export const startProcess = (environment: Record<string, string>, program = main) =>
  startAs([program], environment)

/** The server as `npm start` runs it, and all its processes as one group, to which a signal goes at once. */
export const startGroup = (environment: Record<string, string>) => startAs([door, 'start'], environment, true)

async function startAs(args: string[], environment: Record<string, string>, detached = false) {
  const child = spawn(process.execPath, args, {
    env: { ...plainEnvironment(), PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  })
  const kill = (signal: NodeJS.Signals) =>
    detached ? process.kill(-(child.pid as number), signal) : child.kill(signal)
  // A test that fails must not leave its server behind.
  const endWithUs = () => kill('SIGKILL')
  process.once('exit', endWithUs)
  child.once('exit', () => process.off('exit', endWithUs))
  const output = { out: '', err: '' }
  child.stdout.on('data', (bytes) => {
    output.out += bytes
  })
  child.stderr.on('data', (bytes) => {
    output.err += bytes
  })
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const url = await addressOf(child, output, exited)
  return {
    url,
    pid: child.pid as number,
    output,
    /** Resolves with the exit code, or the signal's name. */
    exited: exited.then(([code, signal]) => code ?? signal),
    async kill(signal: NodeJS.Signals = 'SIGKILL') {
      kill(signal)
      const [code, ended] = await exited
      return code ?? ended
    },
  }
}

/** The server could not start; `code` is how it ended. */
export class NotStarted extends Error {
  readonly code: number | null

  constructor(code: number | null, words: string) {
    super(words)
    this.name = 'NotStarted'
    this.code = code
  }
}

async function addressOf(
  child: ChildProcess,
  output: { out: string; err: string },
  exited: Promise<[number | null, unknown]>,
): Promise<string> {
  for (;;) {
    const url = /http:\/\/\S+/.exec(output.out)?.[0]
    if (url) return url
    const ended = await Promise.race([exited, once(child.stdout as NonNullable<typeof child.stdout>, 'data')])
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new NotStarted(ended[0] as number | null, output.err)
    }
  }
}
