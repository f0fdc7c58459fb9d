import { dirname } from 'node:path'
import { findSourceFiles } from './imports.ts'

const maxFilesPerFolder = 15

/** Folders with too many source files directly in them. Tests and declaration files do not count. */
export function findCrowdedFolders(): string[] {
  const files = findSourceFiles('{contract,web,server}/**/*.{ts,tsx}').filter(
    (file) => !/\.(test\.tsx?|d\.ts)$/.test(file),
  )
  return Object.entries(Object.groupBy(files, dirname))
    .filter(([, inFolder = []]) => inFolder.length > maxFilesPerFolder)
    .map(
      ([folder, inFolder]) => `${folder} has ${inFolder?.length} source files; at most ${maxFilesPerFolder}`,
    )
}
