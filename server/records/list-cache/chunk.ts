import { compressPart, type GzipPart } from './joined-gzip.ts'

/** A document: its position in the order of creation, the revision that last changed it, and its JSON. */
export interface ListEntry {
  seq: number
  revision: number
  line: string
}

/**
 * Consecutive documents of the list, each as one line of JSON. Immutable, so that a list can be read while a new version of
 * it is being made. Stores either strings (after a write) or one buffer (once packed), never both: most chunks of a
 * large list are only read, and strings take 1.5 times the memory.
 */
export class Chunk {
  /** Positions of the lines, ascending. */
  readonly #seqs: number[]
  readonly #revisions: number[]
  #content: string[] | Buffer
  #compressed: { part: GzipPart; dictionary: Buffer | undefined } | undefined
  /** Upper bound of the revisions of the lines. Removed lines count too. */
  readonly newestRevision: number
  readonly length: number

  private constructor(
    seqs: number[],
    revisions: number[],
    lines: string[],
    newestRevision: number,
    length = lines.reduce((sum, line) => sum + line.length, 0),
  ) {
    this.#seqs = seqs
    this.#revisions = revisions
    this.#content = lines
    this.newestRevision = newestRevision
    this.length = length
  }

  /** `entries` must be in ascending order of `seq`. */
  static of(entries: ListEntry[]): Chunk {
    const seqs = entries.map(({ seq }) => seq)
    const revisions = entries.map(({ revision }) => revision)
    const lines = entries.map(({ line }) => line)
    const chunk = new Chunk(seqs, revisions, lines, Math.max(0, ...revisions))
    chunk.#content = joinLines(lines)
    return chunk
  }

  get size() {
    return this.#seqs.length
  }

  get firstSeq() {
    return this.#seqs[0] as number
  }

  /** Converts strings to a buffer, and returns it. */
  pack(): Buffer {
    if (Array.isArray(this.#content)) this.#content = joinLines(this.#content)
    return this.#content
  }

  /** Returns the compressed text, preceded by a separator if there is a preceding chunk. */
  compressAfter(preceding: Chunk | undefined): GzipPart {
    const dictionary = preceding?.pack()
    // Not the chunk: a reference would keep it and all its earlier predecessors in memory.
    if (this.#compressed?.dictionary !== dictionary) this.#compressed = undefined
    const content = () => (dictionary ? Buffer.concat([separatorBytes, this.pack()]) : this.pack())
    this.#compressed ??= { part: compressPart(content(), dictionary), dictionary }
    return this.#compressed.part
  }

  save(seq: number, revision: number, line: string): Chunk {
    const at = this.#positionOf(seq)
    return this.#replace(at, this.#seqs[at] === seq ? 1 : 0, revision, { seq, revision, line })
  }

  remove(seq: number, revision: number): Chunk {
    const at = this.#positionOf(seq)
    return this.#seqs[at] === seq ? this.#replace(at, 1, revision) : this
  }

  split(): [Chunk, Chunk] {
    const at = this.size >> 1
    const lines = this.#lines()
    const part = (from: number, to?: number) =>
      new Chunk(
        this.#seqs.slice(from, to),
        this.#revisions.slice(from, to),
        lines.slice(from, to),
        this.newestRevision,
      )
    return [part(0, at), part(at)]
  }

  /** Returns the last line before a position, if this chunk contains one. */
  lineBefore(seq: number): string | undefined {
    return this.#lines()[this.#positionOf(seq) - 1]
  }

  /** Yields the lines changed after a revision, in order. */
  *entriesNewerThan(since: number): Generator<ListEntry> {
    for (const [i, line] of this.#lines().entries()) {
      const revision = this.#revisions[i] as number
      if (revision > since) yield { seq: this.#seqs[i] as number, revision, line }
    }
  }

  #positionOf(seq: number): number {
    let low = 0
    let high = this.size
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#seqs[middle] as number) < seq) low = middle + 1
      else high = middle
    }
    return low
  }

  #lines(): string[] {
    return Array.isArray(this.#content) ? this.#content : splitLines(this.#content)
  }

  /** Runs for each write. */
  #replace(at: number, deleteCount: 0 | 1, revision: number, entry?: ListEntry): Chunk {
    const lines = this.#lines()
    const splice = <T>(items: T[], item: T | undefined) =>
      item === undefined ? items.toSpliced(at, deleteCount) : items.toSpliced(at, deleteCount, item)
    const isUpdate = entry && deleteCount === 1
    return new Chunk(
      isUpdate ? this.#seqs : splice(this.#seqs, entry?.seq),
      splice(this.#revisions, entry?.revision),
      splice(lines, entry?.line),
      Math.max(this.newestRevision, revision),
      this.length + (entry?.line.length ?? 0) - (deleteCount === 1 ? (lines[at] as string).length : 0),
    )
  }
}

/** Ends each line after a document, so that clients can display documents before the rest has arrived. */
export const separator = ',\n'
const separatorBytes = Buffer.from(separator)

function joinLines(lines: string[]): Buffer {
  const text = lines.join(separator)
  // `Buffer.from` returns a view of a 64 KB pool, and would keep all of it in memory.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** The JSON of a document contains no line breaks, so every separator found is one. */
function splitLines(text: Buffer): string[] {
  return text.length === 0 ? [] : text.toString().split(separator)
}
