import { statSync } from 'node:fs'

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
