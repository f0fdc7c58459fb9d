import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export const cli = fileURLToPath(new URL('../../server/cli.ts', import.meta.url))

export interface Typed {
  /** What is typed at its questions. */
  input?: string
  environment?: Record<string, string>
}

/** Runs the operator's command line as it is typed, on the register in a folder. */
export async function runCommand(
  folder: string,
  args: string[],
  { input = '', environment = {} }: Typed = {},
) {
  const child = spawn(process.execPath, [cli, '--data', folder, ...args], {
    env: { PATH: process.env.PATH, ...environment },
  })
  child.stdin.end(input)
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code: child.exitCode, out: out.trimEnd(), err: err.trimEnd(), json: () => JSON.parse(out) }
}
