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

const source = fileURLToPath(new URL('./disk.c', import.meta.url))
const block = 4096

/** A disk in a folder of its own, that fails as it is told to and that can lose its power. Linux with a C compiler. */
export function createDisk() {
  const home = mkdtempSync(join(tmpdir(), 'staffbook-disk-'))
  const path = (name: string) => join(home, name)
  const library = path('disk.so')
  const built = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl', '-lpthread'])
  if (built.status !== 0) {
    throw new Error(`The fault tests need a C compiler (cc): ${built.error?.message ?? built.stderr}`)
  }
  const order = (orders: string) => writeFileSync(path('orders'), orders)
  const folder = path('data')
  mkdirSync(folder)
  settle(folder, path('platter'))
  order('')

  return {
    folder,
    /** What a server on this disk is started with; `losesPower` keeps apart what was synced. */
    environment: (losesPower = false) => ({
      DATA_DIR: folder,
      LD_PRELOAD: library,
      FAULTS_FOLDER: folder,
      FAULTS_ORDERS: path('orders'),
      ...(losesPower ? { FAULTS_DISK: path('platter') } : {}),
    }),
    order,
    /** All that is there is on the disk. */
    settle: () => settle(folder, path('platter')),
    /**
     * What was not synced is gone but for some blocks, which a disk may have written in any order; `keeps` says which.
     * A name that was not synced is gone.
     */
    losePower(keeps: () => boolean = () => false) {
      for (const file of filesIn(folder))
        tear(join(folder, file), inodeOf(path('platter'), folder, file), keeps)
      rmSync(folder, { recursive: true })
      cpSync(path('platter/names'), folder, { recursive: true })
      settle(folder, path('platter'))
    },
    remove: () => rmSync(home, { recursive: true }),
  }
}

const inodeOf = (platter: string, folder: string, file: string) =>
  join(platter, 'inodes', String(statSync(join(folder, file)).ino))

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

/** Makes the platter what `disk.c` says it is, as if the folder and all that is in it had just been synced. */
function settle(folder: string, platter: string) {
  rmSync(platter, { recursive: true, force: true })
  mkdirSync(join(platter, 'inodes'), { recursive: true })
  cpSync(folder, join(platter, 'names'), { recursive: true })
  for (const file of filesIn(folder)) linkSync(join(platter, 'names', file), inodeOf(platter, folder, file))
}

/** Lets some of the blocks that were written and not synced reach the disk. */
function tear(written: string, synced: string, keeps: () => boolean) {
  if (!existsSync(synced)) return
  const [from, to] = [readFileSync(written), readFileSync(synced)]
  const result = Buffer.alloc(Math.max(from.length, to.length))
  to.copy(result)
  let length = to.length
  for (let at = 0; at < from.length; at += block) {
    const end = Math.min(at + block, from.length)
    if (from.subarray(at, end).equals(result.subarray(at, end)) || !keeps()) continue
    from.copy(result, at, at, end)
    length = Math.max(length, end)
  }
  writeFileSync(synced, result.subarray(0, length))
}
