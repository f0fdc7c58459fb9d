import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { minimalEnvironment } from '../environment.ts'

export const cliPath = fileURLToPath(new URL('../../../server/cli.ts', import.meta.url))

export interface CommandOptions {
  /** Standard input. */
  input?: string
  environment?: Record<string, string>
}

/** Runs the command line in a process of its own. `failure` has the exit code, unless it is 0, and the error message. */
export async function runCommand(args: string[], { input = '', environment = {} }: CommandOptions = {}) {
  const child = spawn(process.execPath, [cliPath, ...args], {
    env: { ...minimalEnvironment(), ...environment },
  })
  child.stdin.end(input)
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  const [code, failure] = [child.exitCode, `${child.exitCode || ''} ${err}`.trim()]
  return { code, failure, out: out.trimEnd(), err: err.trimEnd(), json: () => JSON.parse(out) }
}
