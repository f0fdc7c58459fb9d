import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from '../../../server/commands/command-line.ts'
import { minimalEnvironment } from '../environment.ts'

export const cliPath = fileURLToPath(new URL('../../../server/cli.ts', import.meta.url))

export interface CommandOptions {
  /** Standard input. */
  input?: string | Buffer
  environment?: Record<string, string>
}

/** Runs the command line in this process, which takes a tenth of the time. Otherwise like `runCommand`. */
export async function runCommandHere(args: string[], { input = '', environment = {} }: CommandOptions = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const stdin = Object.assign(Readable.from([input]), { isTTY: false }) as unknown as NodeJS.ReadStream & {
    fd: 0
  }
  const env = { ...minimalEnvironment(), ...environment }
  const outputs = Promise.all([text(stdout), text(stderr)])
  const code = await runCommandLine(args, { env, stdin, stdout, stderr })
  for (const output of [stdout, stderr]) output.end()
  return toResult(code, ...(await outputs))
}

/** Runs the command line in a process of its own. `failure` has the exit code, unless it is 0, and the error message. */
export async function runCommand(args: string[], { input = '', environment = {} }: CommandOptions = {}) {
  const child = spawn(process.execPath, [cliPath, ...args], {
    env: { ...minimalEnvironment(), ...environment },
  })
  child.stdin.end(input)
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return toResult(child.exitCode, out, err)
}

function toResult(code: number | null, out: string, err: string) {
  const failure = `${code || ''} ${err}`.trim()
  return { code, failure, out: out.trimEnd(), err: err.trimEnd(), json: () => JSON.parse(out) }
}
