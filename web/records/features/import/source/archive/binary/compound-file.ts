/** The sectors of a file, or of the stream in which it keeps small streams, and the table that tells which follows which. */
interface Sectors {
  bytes: Uint8Array
  size: number
  table: Uint8Array
}

interface Entry {
  name: string
  isStream: boolean
  /** The entries before and behind it in the same folder. */
  siblings: readonly number[]
  firstChild: number
  start: number
  size: number
}

/**
 * Reads a stream in the first folder of a compound file, as a copy. Follows no sector and no entry twice: chains in a damaged file may
 * have no end, and thousands of entries may share one.
 */
export function readStream(file: Uint8Array, name: string): Uint8Array {
  const header = viewOf(file)
  const size = 2 ** header.getUint16(30, true)
  if (size !== 512 && size !== 4_096) throw new Error('The sectors have no size that such a file has.')
  const bytes = file.subarray(size)
  const sectors = { bytes, size, table: readTable(bytes, size, header) }
  const directory = readChain(sectors, header.getUint32(48, true))
  const entry = findStream(directory, name)
  if (entry.size >= minSize) return readChain(sectors, entry.start).subarray(0, entry.size)
  const smallSectors = {
    bytes: readChain(sectors, readEntry(directory, 0)?.start ?? 0),
    size: 64,
    table: readChain(sectors, header.getUint32(60, true)),
  }
  return readChain(smallSectors, entry.start).subarray(0, entry.size)
}

/** Smaller streams are kept together in one. */
const minSize = 4_096

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength)

/** The table of a file: the header has the numbers of its first sectors, further sectors have those of the others. */
function readTable(bytes: Uint8Array, size: number, header: DataView): Uint8Array {
  const numbers = Array.from({ length: 109 }, (_, i) => header.getUint32(76 + 4 * i, true))
  const seen = new Set<number>()
  let next = header.getUint32(68, true)
  while ((next + 1) * size <= bytes.length && !seen.has(next)) {
    seen.add(next)
    const sector = viewOf(bytes.subarray(next * size, (next + 1) * size))
    for (let at = 0; at < size - 4; at += 4) numbers.push(sector.getUint32(at, true))
    next = sector.getUint32(size - 4, true)
  }
  // As many as the sectors of the file need, whatever it declares.
  const count = Math.ceil((4 * bytes.length) / size / size)
  return join(numbers.slice(0, count).map((i) => bytes.subarray(i * size, (i + 1) * size)))
}

function readChain({ bytes, size, table }: Sectors, start: number): Uint8Array {
  const [view, numbers] = [viewOf(table), new Set<number>()]
  let next = start
  while (next * size < bytes.length && !numbers.has(next)) {
    numbers.add(next)
    if (4 * next + 4 > table.length) break
    next = view.getUint32(4 * next, true)
  }
  return join([...numbers].map((i) => bytes.subarray(i * size, (i + 1) * size)))
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function findStream(directory: Uint8Array, name: string): Entry {
  const seen = new Set<number>()
  const found = [readEntry(directory, 0)?.firstChild ?? 0]
  for (let number = found.pop(); number !== undefined; number = found.pop()) {
    const entry = seen.has(number) ? undefined : readEntry(directory, number)
    seen.add(number)
    if (entry?.isStream && entry.name.toLowerCase() === name.toLowerCase()) return entry
    if (entry) found.push(...entry.siblings)
  }
  throw new Error('The file has no such stream.')
}

const entrySize = 128
function readEntry(directory: Uint8Array, number: number): Entry | undefined {
  const start = number * entrySize
  if (start + entrySize > directory.length) return undefined
  const view = viewOf(directory.subarray(start, start + entrySize))
  const nameLength = Math.min(32, view.getUint16(64, true) / 2 - 1)
  return {
    name: Array.from({ length: Math.max(0, nameLength) }, (_, i) =>
      String.fromCharCode(view.getUint16(2 * i, true)),
    ).join(''),
    isStream: view.getUint8(66) === 2,
    siblings: [view.getUint32(68, true), view.getUint32(72, true)],
    firstChild: view.getUint32(76, true),
    start: view.getUint32(116, true),
    size: view.getUint32(120, true),
  }
}
