import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('emulators', import.meta.url))

/** Installs firebase-tools from its own lockfile, once: 240 MB that only these tests need. Throws with npm's words. */
export function installFirebaseTools(): void {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  const stamp = join(folder, 'node_modules', '.installed-lock')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  process.stderr.write('installing the Auth emulator (firebase-tools, about half a minute) …\n')
  // Without its optional and install-time parts: a native regular-expression engine that the emulator does not use.
  const options = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const done = spawnSync('npm', ['install', '--no-save', ...options], { cwd: folder, encoding: 'utf8' })
  if (done.status !== 0)
    throw new Error(`The Auth emulator can't be installed:\n${done.stderr ?? done.error}`)
  writeFileSync(stamp, lock)
}

export function runFirebaseTools(args: string[]) {
  return spawnSync(join(folder, 'node_modules', '.bin', 'firebase'), args, { cwd: folder, encoding: 'utf8' })
}
