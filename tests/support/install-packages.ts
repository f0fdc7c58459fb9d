import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Installs a folder's lockfile, without install scripts, unless that is done. Throws npm's error output. */
export function installFolder(folder: string, what: string, options: string[] = []): void {
  const lockHash = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  const stamp = join(folder, 'node_modules', '.installed-lock')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash) return
  process.stderr.write(`installing ${what} …\n`)
  const result = spawnSync(
    'npm',
    ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...options],
    { cwd: folder, encoding: 'utf8' },
  )
  if (result.status !== 0) throw new Error(`npm can't install ${what}:\n${result.stderr ?? result.error}`)
  writeFileSync(stamp, lockHash)
}
