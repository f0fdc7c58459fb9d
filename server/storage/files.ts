import { chmodSync, closeSync, fsyncSync, openSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

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

/** Returns once the folder's entries are on the disk. Does nothing on Windows, where it is neither possible nor necessary. */
export function fsyncDirectory(folder: string): void {
  if (process.platform !== 'win32') fsyncPath(folder, 'r')
}

/** Gives a file another name, once its content is on the disk. Returns once the name is. */
export function replaceDurably(from: string, to: string): void {
  // Windows requires the file to be open for writing.
  fsyncPath(from, 'r+')
  renameSync(from, to)
  fsyncDirectory(dirname(to))
}

function fsyncPath(path: string, flags: 'r' | 'r+') {
  const handle = openSync(path, flags)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** A path and the file that it names. */
export interface FileIdentity {
  path: string
  device: bigint
  inode: bigint
}

export function identifyFile(path: string): FileIdentity {
  const { dev: device, ino: inode } = statSync(path, { bigint: true })
  return { path, device, inode }
}

/** Whether the path still names the file. While somebody has the file open, no other one gets its inode. */
export function isSameFile({ path, device, inode }: FileIdentity): boolean {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found?.dev === device && found.ino === inode
}
