import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Returns once the file's content is on the disk. Windows flushes only what is open for writing. */
export function syncFile(file: string): void {
  sync(file, 'r+')
}

/** Returns once the names in a folder are on the disk. Windows cannot be asked for that: it keeps them by itself. */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32') sync(folder, 'r')
}

function sync(path: string, flags: 'r' | 'r+') {
  const handle = openSync(path, flags)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
