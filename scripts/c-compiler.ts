import { spawnSync } from 'node:child_process'
import { canInstallPackages, installPackages } from './system-packages.ts'

/**
 * Whether the disk that fails on demand (tests/support/faults/disk.c) can be built here: on Linux with a C compiler, which is
 * installed from Debian's packages where we are root and it is missing.
 */
export function ensureCompiler(): boolean {
  if (process.platform !== 'linux') return false
  if (!hasCompiler() && canInstallPackages())
    installPackages('A C compiler, for the fault tests,', ['gcc', 'libc6-dev'])
  return hasCompiler()
}

const hasCompiler = () => spawnSync('cc', ['--version']).status === 0
