import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Servers, commands and threads that tests start load their modules in a quarter of the time. Set before they are started.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('../../node_modules/.cache/compiled', import.meta.url),
)

// Tests keep their temporary files in memory. A container's is too small, and runs no programs.
const memory = '/dev/shm'
const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8') : ''
if (/^\S+ \/dev\/shm tmpfs (?!\S*noexec)/m.test(mounts)) {
  const { bavail, bsize } = statfsSync(memory)
  if (bavail * bsize > 4 * 2 ** 30) process.env.TMPDIR ??= memory
}
