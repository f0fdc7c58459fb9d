import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const librarySource = fileURLToPath(new URL('./disk.c', import.meta.url))
const blockSize = 4096

/** A disk in a folder of its own, that fails as it is told to and that can lose its power. Linux with a C compiler. */
export function createFaultyDisk() {
  const workDir = mkdtempSync(join(tmpdir(), 'staffbook-disk-'))
  const path = (name: string) => join(workDir, name)
  const library = path('disk.so')
  const compiled = spawnSync('cc', [
    '-shared',
    '-fPIC',
    '-O1',
    '-o',
    library,
    librarySource,
    '-ldl',
    '-lpthread',
  ])
  if (compiled.status !== 0) {
    throw new Error(`The fault tests need a C compiler (cc): ${compiled.error?.message ?? compiled.stderr}`)
  }
  const setFaults = (faults: string) => writeFileSync(path('orders'), faults)
  const folder = path('data')
  mkdirSync(folder)
  resetDurableState(folder, path('platter'))
  setFaults('')

  return {
    folder,
    /** What a server on this disk is started with; `losesPower` keeps apart what was synced. */
    environment: (canLosePower = false) => ({
      DATA_DIR: folder,
      LD_PRELOAD: library,
      FAULTS_FOLDER: folder,
      FAULTS_ORDERS: path('orders'),
      ...(canLosePower ? { FAULTS_DISK: path('platter') } : {}),
    }),
    order: setFaults,
    /** All that is there is on the disk. */
    syncAll: () => resetDurableState(folder, path('platter')),
    /**
     * What was not synced is gone but for some blocks, which a disk may have written in any order; `keeps` says which.
     * A name that was not synced is gone.
     */
    cutPower(shouldKeepBlock: () => boolean = () => false) {
      for (const file of listFiles(folder))
        writePartially(join(folder, file), inodePath(path('platter'), folder, file), shouldKeepBlock)
      rmSync(folder, { recursive: true })
      cpSync(path('platter/names'), folder, { recursive: true })
      resetDurableState(folder, path('platter'))
    },
    remove: () => rmSync(workDir, { recursive: true }),
  }
}

const inodePath = (durableDir: string, folder: string, file: string) =>
  join(durableDir, 'inodes', String(statSync(join(folder, file)).ino))

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

/** Makes the platter what `disk.c` says it is, as if the folder and all that is in it had just been synced. */
function resetDurableState(folder: string, durableDir: string) {
  rmSync(durableDir, { recursive: true, force: true })
  mkdirSync(join(durableDir, 'inodes'), { recursive: true })
  cpSync(folder, join(durableDir, 'names'), { recursive: true })
  for (const file of listFiles(folder))
    linkSync(join(durableDir, 'names', file), inodePath(durableDir, folder, file))
}

/** Lets some of the blocks that were written and not synced reach the disk. */
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
