import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installFolder } from '../install-packages.ts'

const folder = fileURLToPath(new URL('emulators', import.meta.url))

/** Installs firebase-tools (240 MB) from its own lockfile, unless it is installed. Throws npm's error output. */
export function installFirebaseTools(): void {
  // Optional packages and install scripts build a native regular-expression engine that the emulator does not use.
  installFolder(folder, 'the Auth emulator (firebase-tools, about half a minute)', ['--omit=optional'])
}

export function runFirebaseTools(args: string[]) {
  return spawnSync(join(folder, 'node_modules', '.bin', 'firebase'), args, { cwd: folder, encoding: 'utf8' })
}
