/*
 * The employee list, cached in the form in which it is sent.
 *
 * Most of the cost of `GET books` is serializing the list; sending it is cheap. If a write invalidated one cached body, the next
 * request would serialize and compress the whole list again, so the cost of a write would grow with the list. Here the
 * cost of a write does not depend on the length:
 *
 * - The list is divided into chunks of at most 128 documents. A write changes one chunk and discards its compressed form.
 * - Each chunk is compressed separately, with the preceding chunk as its dictionary, and ends on a byte boundary. Compressed
 *   chunks can be concatenated, because the dictionary is what the decompressor has just written. A write therefore
 *   discards the compressed form of the following chunk too.
 * - A gzip body is a header, the compressed chunks, and a trailer with length and CRC-32. The CRC is combined from the
 *   chunks' CRCs without reading them again.
 *
 * Building a body therefore only copies bytes. It is 2 to 6 % larger than the whole list compressed at once.
 *
 * `chunked-list.ts` finds the chunk of a document · `chunk.ts` stores its lines · `joined-gzip.ts` compresses and joins ·
 * `crc32-combine.ts` is the arithmetic for the trailer. See docs/decisions/0012-list-cache-of-joined-gzip-chunks.md.
 */
import { inTurns } from '../../yield-to-event-loop.ts'
import { Chunk, type ListEntry, separator } from './chunk.ts'
import { createStoredPart, joinGzip } from './joined-gzip.ts'

/** Counts documents. A write recompresses two chunks; larger chunks take longer and compress little better. */
const maxChunkSize = 128
/** Limits the characters of long documents. */
const maxChunkLength = 256 * 1024
/** Limits the characters of chunks that are kept as strings. */
const maxUnpackedLength = 8 * 1024 * 1024

/** All documents in order of creation. The first chunk always exists; no other chunk is empty. */
export class ChunkedList {
  readonly #chunks: Chunk[]
  /** Those that were written last, in this order: they may hold strings. */
  readonly #unpacked: Set<Chunk>
  #unpackedLength = 0

  constructor(chunks = [Chunk.of([])], unpacked: Iterable<Chunk> = []) {
    this.#chunks = chunks
    this.#unpacked = new Set(unpacked)
    for (const { length } of unpacked) this.#unpackedLength += length
  }

  /** Returns a list with the same documents, which changes of this one do not affect. */
  copy(): ChunkedList {
    return new ChunkedList([...this.#chunks], this.#unpacked)
  }

  get count(): number {
    return this.#chunks.reduce((sum, { size }) => sum + size, 0)
  }

  /** Appends documents to the end of the list. `entries` must be in ascending order of `seq`. */
  append(entries: ListEntry[]): void {
    if (this.#chunks.at(-1)?.size === 0) this.#chunks.pop()
    let next: ListEntry[] = []
    let length = 0
    for (const entry of entries) {
      next.push(entry)
      length += entry.line.length
      if (next.length < maxChunkSize / 2 && length < maxChunkLength / 2) continue
      this.#chunks.push(Chunk.of(next))
      next = []
      length = 0
    }
    if (next.length > 0 || this.#chunks.length === 0) this.#chunks.push(Chunk.of(next))
  }

  /** Inserts or replaces a document. `line` is its JSON. */
  save(seq: number, revision: number, line: string): void {
    const at = this.#indexOfChunk(seq)
    const chunk = (this.#chunks[at] as Chunk).save(seq, revision, line)
    this.#replace(at, splitIfLarge(chunk))
  }

  remove(seq: number, revision: number): void {
    const at = this.#indexOfChunk(seq)
    const chunk = (this.#chunks[at] as Chunk).remove(seq, revision)
    this.#replace(at, chunk.size === 0 && this.#chunks.length > 1 ? [] : [chunk])
  }

  /** Packs the chunks that were written least recently, because strings take more memory, of a kind that V8 limits. */
  #replace(at: number, chunks: Chunk[]): void {
    for (const replaced of this.#chunks.splice(at, 1, ...chunks))
      if (this.#unpacked.delete(replaced)) this.#unpackedLength -= replaced.length
    for (const chunk of chunks) {
      this.#unpacked.add(chunk)
      this.#unpackedLength += chunk.length
    }
    for (const oldest of this.#unpacked) {
      if (this.#unpackedLength <= maxUnpackedLength) return
      oldest.pack()
      this.#unpacked.delete(oldest)
      this.#unpackedLength -= oldest.length
    }
  }

  /** Returns the id of the document that precedes a position, null at the start of the list. */
  idBefore(seq: number): string | null {
    const at = this.#indexOfChunk(seq)
    const line =
      this.#chunks[at]?.lineBefore(seq) ?? this.#chunks[at - 1]?.lineBefore(Number.POSITIVE_INFINITY)
    return line === undefined ? null : readId(line)
  }

  /** Yields the documents changed after a revision, in order of creation. */
  *entriesNewerThan(revision: number): Generator<ListEntry> {
    for (const chunk of this.#chunks)
      if (chunk.newestRevision > revision) yield* chunk.entriesNewerThan(revision)
  }

  /** Returns the list of the first documents: at least so many, in whole chunks. */
  first(count: number): ChunkedList {
    const first: Chunk[] = []
    let size = 0
    for (const chunk of this.#chunks) {
      if (size >= count) break
      first.push(chunk)
      size += chunk.size
    }
    return new ChunkedList(first)
  }

  /** Encodes the list as it is now; other requests may change it meanwhile. */
  async toJson(head: string, tail: string): Promise<Buffer> {
    const texts: Buffer[] = [Buffer.from(head)]
    await inTurns(this.#nonEmptyChunks(), (chunk) => texts.push(chunk.pack(), Buffer.from(separator)))
    if (texts.length > 1) texts.pop()
    return Buffer.concat([...texts, Buffer.from(tail)])
  }

  async toGzip(head: string, tail: string): Promise<Buffer> {
    const parts = [createStoredPart(head)]
    let preceding: Chunk | undefined
    await inTurns(this.#nonEmptyChunks(), (chunk) => {
      parts.push(chunk.compressAfter(preceding))
      preceding = chunk
    })
    return joinGzip([...parts, createStoredPart(tail)])
  }

  #nonEmptyChunks() {
    return this.#chunks.filter(({ size }) => size > 0)
  }

  /** Returns the index of the chunk that contains a position, or into which it would be inserted. */
  #indexOfChunk(seq: number): number {
    let low = 0
    let high = this.#chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#chunks[middle] as Chunk).firstSeq <= seq) low = middle
      else high = middle - 1
    }
    return low
  }
}

/** Repeatedly, because documents may have very different lengths. */
function splitIfLarge(chunk: Chunk): Chunk[] {
  const isLarge = chunk.size > maxChunkSize || (chunk.length > maxChunkLength && chunk.size > 1)
  return isLarge ? chunk.split().flatMap(splitIfLarge) : [chunk]
}

const beforeId = '{"id":"'

/** Faster than JSON.parse, for each write: the id comes first, and has no character that JSON escapes (`idPattern`). */
function readId(line: string): string {
  return line.slice(beforeId.length, line.indexOf('"', beforeId.length))
}
