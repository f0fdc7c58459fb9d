import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Returns once the file's content is on the disk. Windows flushes only what is open for writing. */
export function fsyncFile(file: string): void {
  fsyncPath(file, 'r+')
}

/** Returns once the names in a folder are on the disk. Windows cannot be asked for that: it keeps them by itself. */
export function fsyncDirectory(folder: string): void {
  if (process.platform !== 'win32') fsyncPath(folder, 'r')
}

function fsyncPath(path: string, flags: 'r' | 'r+') {
  const handle = openSync(path, flags)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
