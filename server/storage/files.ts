import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'

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

/**
 * Takes permissions away from a folder of Staffbook's own. One that others share, such as `/` or `/tmp`, stays as they need it, but
 * they may not replace files there.
 */
export function restrictFolder(folder: string, permissions: number, isOwn: (name: string) => boolean): void {
  const isShared = !readdirSync(folder).every((name) => isOwn(name) || ofFileSystems.includes(name))
  const isSticky = (statSync(folder).mode & 0o1000) !== 0
  const allowed = isSticky ? 0 : othersWrites
  restrictAccess(folder, isShared ? permissions & allowed : permissions)
}

const ofFileSystems = ['lost+found', '.DS_Store']

/**
 * Adds to the text of an error which of the paths, a folder before its files, this process may not write to, and what to do;
 * without such a path adds `otherwise`. A folder that does not exist is to be created.
 */
export function explainDenied(text: string, paths: string[], otherwise = ''): string {
  const [folder = ''] = paths
  const advice = existsSync(folder) ? findDenied(paths, describeOwners) : adviseCreation(folder)
  if (advice) return `${text}. ${advice}`
  return otherwise ? `${text}. ${otherwise}` : text
}

/** Names the folder above it that exists, if no folder can be created there. */
function adviseCreation(folder: string): string | undefined {
  let parent = dirname(resolve(folder))
  while (!existsSync(parent)) parent = dirname(parent)
  const own = process.getuid?.()
  const command = own === undefined ? '' : ` Run as root: install -d -m 700 -o ${own} ${folder}`
  return findDenied([parent], () => `${deniedTo()} ${parent}.${command}`)
}

function findDenied(paths: string[], describe: (path: string) => string): string | undefined {
  for (const path of paths) {
    try {
      accessSync(path, constants.W_OK)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EROFS') return `${path} ${readOnlyAdvice}`
      if (code === 'EACCES' || code === 'EPERM') return describe(path)
    }
  }
}

/** Describes why a file with a secret cannot be read, and what to do if this process may not. */
export function explainUnreadable(name: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const advice =
    code === 'EACCES' || code === 'EPERM'
      ? ` ${deniedTo('read it')}. Under systemd, let the unit load it: see LoadCredential in deploy/staffbook.service.`
      : ''
  return `${name} cannot be read: ${message}.${advice}`
}

const readOnlyAdvice =
  'is on a file system that is read-only for Staffbook: mount it for writing; under systemd, name the folder in ReadWritePaths.'

function deniedTo(act = 'write to'): string {
  const own = process.getuid?.()
  return `The user who runs Staffbook${own === undefined ? '' : ` (uid ${own})`} may not ${act}`
}

function describeOwners(path: string): string {
  const own = process.getuid?.()
  const owner = statSync(path, { throwIfNoEntry: false })?.uid
  const denied = `${deniedTo()} ${path}`
  if (own === undefined || owner === undefined) return `${denied}.`
  return owner === own
    ? `${denied}. Run: chmod -R u+rwX ${path}`
    : `${denied}, which belongs to uid ${owner}. Run: chown -R ${own} ${path}`
}

/** No key or password is larger. */
export const maxSecretBytes = 64 * 1024

/** Reads a file or pipe to its end. Throws if it has more than `maxBytes`, as `/dev/zero` and a command that never ends have. */
export function readAtMost(path: string, maxBytes: number): Buffer {
  const handle = openSync(path, 'r')
  try {
    const piece = Buffer.alloc(Math.min(maxBytes + 1, 2 ** 20))
    const pieces: Buffer[] = []
    for (let total = 0; total <= maxBytes; ) {
      const bytes = readSync(handle, piece)
      if (bytes === 0) return Buffer.concat(pieces)
      pieces.push(Buffer.from(piece.subarray(0, bytes)))
      total += bytes
    }
  } finally {
    closeSync(handle)
  }
  throw new Error(`it has more than ${maxBytes} bytes`)
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
