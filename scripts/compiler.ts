import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { say } from './terminal.ts'

/**
 * Whether the disk that fails on demand (tests/faults/disk.c) can be built here: on Linux with a C compiler, which is
 * installed from Debian's packages where we are root and it is missing.
 */
export function provideCompiler(): boolean {
  if (process.platform !== 'linux') return false
  if (hasCompiler()) return true
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  say('no C compiler on this machine; installing one for the fault tests …')
  spawnSync('apt-get', ['update'], { stdio: 'inherit' })
  spawnSync('apt-get', ['install', '-y', 'gcc', 'libc6-dev'], { stdio: 'inherit' })
  return hasCompiler()
}

const hasCompiler = () => spawnSync('cc', ['--version']).status === 0
