import { type StdioOptions, spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

export function printStatus(text: string): void {
  process.stderr.write(`staffbook: ${text}\n`)
}

type Env = Record<string, string>

/**
 * Runs a command in the repository's folder with its output on the terminal, or in a file that is open as `output`. Resolves
 * with its exit code.
 */
export function run(command: string, args: string[], env: Env = {}, output?: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const stdio: StdioOptions = output === undefined ? 'inherit' : ['ignore', output, output]
    const child = spawn(command, args, { cwd: root, stdio, env: { ...process.env, ...env } })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

/** Runs the command-line tool of an installed package with this Node. */
export function runTool(script: string, args: string[], env?: Env, output?: number): Promise<number> {
  return run(process.execPath, [`node_modules/${script}`, ...args], env, output)
}
