import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { minimalEnvironment } from '../environment.ts'

export const cliPath = fileURLToPath(new URL('../../../server/cli.ts', import.meta.url))

export interface CommandOptions {
  /** What is typed at its questions. */
  input?: string
  environment?: Record<string, string>
}

/** Runs the operator's command line as it is typed. */
export async function runCommand(args: string[], { input = '', environment = {} }: CommandOptions = {}) {
  const child = spawn(process.execPath, [cliPath, ...args], {
    env: { ...minimalEnvironment(), ...environment },
  })
  child.stdin.end(input)
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code: child.exitCode, out: out.trimEnd(), err: err.trimEnd(), json: () => JSON.parse(out) }
}
