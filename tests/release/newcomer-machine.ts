import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { root } from '../../scripts/terminal.ts'
import { createFolder } from '../support/cleanup.ts'

export interface RunOptions {
  cwd?: string
  env?: Record<string, string>
  /** The folder with the `node` to use; default: this one. */
  node?: string
  /** Runs in a network namespace of its own, where only the loopback interface exists. */
  isOffline?: boolean
}

/** A home folder with spaces and umlauts, whose owner has no rights elsewhere: `nobody` if this process is root. */
export function createNewcomerMachine() {
  const isRoot = process.getuid?.() === 0
  const home = join(createFolder(), 'Zoë’s Über Büro')
  const owned = (folder: string) => {
    mkdirSync(folder, { recursive: true })
    if (isRoot) chownSync(folder, nobody, nobody)
    return folder
  }
  owned(dirname(home))
  owned(home)
  // The settings of the tester's npm are not readable for another user.
  const registry = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).stdout.trim()

  function wrap(command: string[], isOffline: boolean): string[] {
    const asUser = isRoot
      ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', ...command]
      : command
    if (!isOffline) return asUser
    const namespace = isRoot ? ['unshare', '--net'] : ['unshare', '--net', '--map-current-user', '--user']
    return [...namespace, 'sh', '-c', 'ip link set lo up 2>/dev/null; exec "$@"', 'sh', ...asUser]
  }

  return {
    home,
    owned,
    /** Runs a command as the newcomer. Resolves with its exit code and its whole output. */
    async run(command: string[], { cwd = home, env = {}, node, isOffline = false }: RunOptions = {}) {
      const path = [node ?? dirname(process.execPath), process.env.PATH, '/usr/sbin', '/sbin'].join(delimiter)
      const [program = '', ...args] = wrap(command, isOffline)
      const { NODE_EXTRA_CA_CERTS: certificates } = process.env
      const child = spawn(program, args, {
        cwd,
        env: {
          PATH: path,
          HOME: home,
          npm_config_registry: registry,
          ...(certificates ? { NODE_EXTRA_CA_CERTS: certificates } : {}),
          ...env,
        },
      })
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
      return { code: child.exitCode, output: `${out}${err}` }
    },
    remove: () => rmSync(dirname(home), { recursive: true, force: true }),
  }
}

const nobody = 65_534

export const newcomerProgram = join(root, 'tests/release/newcomer.ts')
