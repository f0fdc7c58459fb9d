import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Returns once the file's content is on the disk. Windows requires the file to be open for writing. */
export function fsyncFile(file: string): void {
  fsyncPath(file, 'r+')
}

/** Returns once the folder's entries are on the disk. Does nothing on Windows, where it is neither possible nor necessary. */
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
