import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('emulators', import.meta.url))

/** Installs firebase-tools (240 MB) from its own lockfile, unless it is installed. Throws npm's error output. */
export function installFirebaseTools(): void {
  const lockHash = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  const stamp = join(folder, 'node_modules', '.installed-lock')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash) return
  process.stderr.write('installing the Auth emulator (firebase-tools, about half a minute) …\n')
  // Optional packages and install scripts build a native regular-expression engine that the emulator does not use.
  const options = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const result = spawnSync('npm', ['install', '--no-save', ...options], { cwd: folder, encoding: 'utf8' })
  if (result.status !== 0)
    throw new Error(`The Auth emulator can't be installed:\n${result.stderr ?? result.error}`)
  writeFileSync(stamp, lockHash)
}

export function runFirebaseTools(args: string[]) {
  return spawnSync(join(folder, 'node_modules', '.bin', 'firebase'), args, { cwd: folder, encoding: 'utf8' })
}
