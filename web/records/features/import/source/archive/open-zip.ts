import { unzipSync } from 'fflate'
import { msg } from '../../../../../language/translate.ts'
import { SourceError } from '../sheet.ts'

/** The limit on the unpacked bytes of all parts that are read. 100,000 rows of three fields have 30 million. */
export const maxUnpackedBytes = 128 * 1024 * 1024

const maxParts = 20_000

export const createTooBigError = () =>
  new SourceError(msg('This workbook is too big. Save only the sheet with the list.'))

export interface Zip {
  /** In lower case, with slashes, without one at the beginning: some writers use others. */
  paths: ReadonlySet<string>
  /** Unpacks these parts, as text; none if there is no such part. Throws if all that was read is too big. */
  read(paths: readonly string[]): ReadonlyMap<string, string>
  /** The same, as bytes. */
  readBytes(paths: readonly string[]): ReadonlyMap<string, Uint8Array>
}

export const normalizePath = (name: string) =>
  name
    .replaceAll('\\', '/')
    .replace(/^(\.?\/)+/, '')
    .toLowerCase()

export const isZip = (file: Uint8Array) =>
  file[0] === 0x50 && file[1] === 0x4b && file[2] === 3 && file[3] === 4

/** Lists the parts of a ZIP file. Throws if it is damaged. */
export function openZip(file: Uint8Array): Zip {
  const paths = new Set<string>()
  let count = 0
  unzipSync(file, {
    filter({ name }) {
      paths.add(normalizePath(name))
      if (++count > maxParts) throw createTooBigError()
      return false
    },
  })
  let bytes = 0
  const decoder = new TextDecoder()
  function readBytes(wanted: readonly string[]) {
    const set = new Set(wanted)
    let packedBytes = 0
    const files = unzipSync(file, {
      filter({ name, size, originalSize }) {
        if (!set.has(normalizePath(name))) return false
        // A part that is only stored may declare less than it has.
        bytes += Math.max(size, originalSize)
        if (bytes > maxUnpackedBytes) throw createTooBigError()
        packedBytes += size
        if (packedBytes > file.length) throw new Error('Parts overlap, so they would be unpacked many times.')
        return true
      },
    })
    return new Map(Object.entries(files).map(([name, content]) => [normalizePath(name), content]))
  }
  const read = (wanted: readonly string[]) =>
    new Map([...readBytes(wanted)].map(([path, content]) => [path, decoder.decode(content)]))
  return { paths, read, readBytes }
}
