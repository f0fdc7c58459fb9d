import { Chunk, type ListEntry, separator } from './chunk.ts'
import { createStoredPart, joinGzip } from './joined-gzip.ts'

/** Each write makes one chunk anew: small is quick, and compresses hardly worse. */
const maxChunkSize = 128

/**
 * All documents in order of creation, in chunks, so that a change costs one chunk however long the list is. There is
 * always a first chunk; no other is empty.
 */
export class ChunkedList {
  readonly #chunks = [new Chunk()]

  /** Puts documents behind all that are there; `lines` in order of their places. */
  append(entries: ListEntry[]): void {
    for (let at = 0; at < entries.length; at += maxChunkSize / 2) {
      const chunk = new Chunk(entries.slice(at, at + maxChunkSize / 2))
      if (this.#chunks.at(-1)?.size === 0) this.#chunks.pop()
      this.#chunks.push(chunk)
    }
  }

  /** `line` is the document's JSON, `id` first. */
  save(seq: number, revision: number, line: string): void {
    const at = this.#chunkOf(seq)
    const chunk = this.#chunks[at] as Chunk
    chunk.save(seq, revision, line)
    if (chunk.size > maxChunkSize) this.#chunks.splice(at + 1, 0, chunk.split())
  }

  remove(seq: number, revision: number): void {
    const at = this.#chunkOf(seq)
    const chunk = this.#chunks[at] as Chunk
    chunk.remove(seq, revision)
    if (chunk.size === 0 && this.#chunks.length > 1) this.#chunks.splice(at, 1)
  }

  /** The id of the document before a place; null at the head. */
  idBefore(seq: number): string | null {
    const at = this.#chunkOf(seq)
    const line =
      this.#chunks[at]?.lineBefore(seq) ?? this.#chunks[at - 1]?.lineBefore(Number.POSITIVE_INFINITY)
    return line === undefined ? null : parseId(line)
  }

  /** The lines of documents newer than a revision, in order of creation. */
  *entriesNewerThan(revision: number): Generator<ListEntry> {
    for (const chunk of this.#chunks)
      if (chunk.newestRevision > revision) yield* chunk.entriesNewerThan(revision)
  }

  toJson(head: string, tail: string): Buffer {
    const texts = this.#filled().flatMap(({ text }) => [text, Buffer.from(separator)])
    return Buffer.concat([Buffer.from(head), ...texts.slice(0, -1), Buffer.from(tail)])
  }

  toGzip(head: string, tail: string): Buffer {
    const parts = this.#filled().flatMap(({ gzipPart }) => [gzipPart, separatorPart])
    return joinGzip([createStoredPart(head), ...parts.slice(0, -1), createStoredPart(tail)])
  }

  #filled() {
    return this.#chunks.filter(({ size }) => size > 0)
  }

  /** The chunk in which a place lies or would lie. */
  #chunkOf(seq: number): number {
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

const separatorPart = createStoredPart(separator)

function parseId(line: string): string {
  return (JSON.parse(line) as { id: string }).id
}
