import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFolder, listFiles } from '../cleanup.ts'

const librarySource = fileURLToPath(new URL('./disk.c', import.meta.url))
const cacheFolder = fileURLToPath(new URL('../../../node_modules/.cache/faults', import.meta.url))
const blockSize = 4096

/** A simulated disk in a temporary folder of the current test that fails on demand and can lose power. Requires Linux and a C compiler. */
export function createFaultyDisk() {
  const library = compileLibrary()
  const workDir = createFolder()
  const path = (name: string) => join(workDir, name)
  const setFaults = (faults: string) => writeFileSync(path('orders'), faults)
  const folder = path('data')
  mkdirSync(folder)
  resetDurableState(folder, path('platter'))
  setFaults('')

  return {
    folder,
    /** The environment of a server on this disk. `canLosePower` records what was synced. */
    environment: (canLosePower = false) => ({
      DATA_DIR: folder,
      LD_PRELOAD: library,
      FAULTS_FOLDER: folder,
      FAULTS_ORDERS: path('orders'),
      ...(canLosePower ? { FAULTS_DISK: path('platter') } : {}),
    }),
    order: setFaults,
    /** Marks everything as synced. */
    syncAll: () => resetDurableState(folder, path('platter')),
    /**
     * Discards what was not synced: file names, and blocks except those for which `shouldKeepBlock` returns true (a disk
     * may write unsynced blocks in any order).
     */
    cutPower(shouldKeepBlock: () => boolean = () => false) {
      for (const file of listRelative(folder))
        writePartially(join(folder, file), inodePath(path('platter'), folder, file), shouldKeepBlock)
      rmSync(folder, { recursive: true })
      cpSync(path('platter/names'), folder, { recursive: true })
      resetDurableState(folder, path('platter'))
    },
    /** For benchmarks: after a test it is removed by itself. */
    remove: () => rmSync(workDir, { recursive: true }),
  }
}

/** Compiles disk.c once per version of it. Returns the path of the library. */
function compileLibrary(): string {
  const hash = createHash('sha256').update(readFileSync(librarySource)).digest('hex').slice(0, 16)
  const library = join(cacheFolder, `disk-${hash}.so`)
  if (existsSync(library)) return library
  mkdirSync(cacheFolder, { recursive: true })
  const output = `${library}.${process.pid}`
  const args = ['-shared', '-fPIC', '-O1', '-o', output, librarySource, '-ldl', '-lpthread']
  const compiled = spawnSync('cc', args)
  if (compiled.status !== 0)
    throw new Error(`The fault tests need a C compiler (cc): ${compiled.error?.message ?? compiled.stderr}`)
  renameSync(output, library)
  return library
}

const inodePath = (durableDir: string, folder: string, file: string) =>
  join(durableDir, 'inodes', String(statSync(join(folder, file)).ino))

const listRelative = (folder: string) => listFiles(folder).map((file) => relative(folder, file))

/** Resets the durable state that disk.c describes, as if the folder and everything in it had just been synced. */
function resetDurableState(folder: string, durableDir: string) {
  rmSync(durableDir, { recursive: true, force: true })
  mkdirSync(join(durableDir, 'inodes'), { recursive: true })
  cpSync(folder, join(durableDir, 'names'), { recursive: true })
  for (const file of listRelative(folder))
    linkSync(join(durableDir, 'names', file), inodePath(durableDir, folder, file))
}

/** Copies some of the unsynced blocks to the durable file. */
function writePartially(currentPath: string, durablePath: string, shouldKeepBlock: () => boolean) {
  if (!existsSync(durablePath)) return
  const [current, durable] = [readFileSync(currentPath), readFileSync(durablePath)]
  const result = Buffer.alloc(Math.max(current.length, durable.length))
  durable.copy(result)
  let length = durable.length
  for (let at = 0; at < current.length; at += blockSize) {
    const end = Math.min(at + blockSize, current.length)
    if (current.subarray(at, end).equals(result.subarray(at, end)) || !shouldKeepBlock()) continue
    current.copy(result, at, at, end)
    length = Math.max(length, end)
  }
  writeFileSync(durablePath, result.subarray(0, length))
}
