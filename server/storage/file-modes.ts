import { chmodSync, statSync } from 'node:fs'

/** All access of the group and of others. */
export const othersAccess = 0o077
export const othersWrites = 0o022

/**
 * Takes permissions away, if the path exists. If it belongs to somebody else, leaves it as it is, but throws if everyone can
 * write to it.
 */
export function restrictAccess(path: string, permissions: number): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  if (mode === undefined || (mode & permissions) === 0 || process.platform === 'win32') return
  try {
    chmodSync(path, mode & 0o7777 & ~permissions)
  } catch (cause) {
    const isSticky = (mode & 0o1000) !== 0
    if ((mode & 0o002) === 0 || isSticky) return
    throw new Error(`everyone on this machine can write to ${path}. Run: chmod o-w ${path}`, { cause })
  }
}
