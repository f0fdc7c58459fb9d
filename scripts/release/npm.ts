import { spawnSync } from 'node:child_process'

/** Runs npm in a folder and returns what it prints to stdout. Throws if it fails. */
export function npm(args: string[], folder: string): string {
  const cli = process.env.npm_execpath
  const [command, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []]
  const { status, stdout, error } = spawnSync(command, [...first, ...args, '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
    // Vite sets it to production, which makes npm omit development packages.
    env: { ...process.env, NODE_ENV: '' },
    shell: command === 'npm' && process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed`, { cause: error })
  return stdout
}
