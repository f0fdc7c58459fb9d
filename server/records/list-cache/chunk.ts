import { compressPart, type GzipPart } from './joined-gzip.ts'

/** A document: its position in the order of creation, the revision that last changed it, and its JSON. */
export interface ListEntry {
  seq: number
  revision: number
  line: string
}

/**
 * Consecutive documents of the list, each as one line of JSON. Stores either strings (after a write) or one buffer (after a
 * read), never both: most chunks of a large list are only read, and strings take 1.5 times the memory.
 */
export class Chunk {
  /** Positions of the lines, ascending. */
  readonly #seqs: number[]
  readonly #revisions: number[]
  #content: string[] | Buffer
  #compressed: { part: GzipPart; dictionary: Buffer | undefined } | undefined
  /** Upper bound of the revisions of the lines. Removed lines count too. */
  newestRevision: number

  /** `entries` must be in ascending order of `seq`. */
  constructor(entries: ListEntry[] = []) {
    this.#seqs = entries.map(({ seq }) => seq)
    this.#revisions = entries.map(({ revision }) => revision)
    this.#content = joinLines(entries.map(({ line }) => line))
    this.newestRevision = Math.max(0, ...this.#revisions)
  }

  get size() {
    return this.#seqs.length
  }

  get firstSeq() {
    return this.#seqs[0] as number
  }

  get text(): Buffer {
    if (Array.isArray(this.#content)) this.#content = joinLines(this.#content)
    return this.#content
  }

  /** Returns the compressed text, preceded by a separator if there is a preceding chunk. */
  compressAfter(preceding: Chunk | undefined): GzipPart {
    const dictionary = preceding?.text
    // The text is a new buffer after each change of the preceding chunk.
    if (this.#compressed?.dictionary !== dictionary) this.#compressed = undefined
    const content = () => (dictionary ? Buffer.concat([separatorBytes, this.text]) : this.text)
    this.#compressed ??= { part: compressPart(content(), dictionary), dictionary }
    return this.#compressed.part
  }

  save(seq: number, revision: number, line: string): void {
    const at = this.#positionOf(seq)
    const replaced = this.#seqs[at] === seq ? 1 : 0
    this.#edit(revision).splice(at, replaced, line)
    this.#seqs.splice(at, replaced, seq)
    this.#revisions.splice(at, replaced, revision)
  }

  remove(seq: number, revision: number): void {
    const at = this.#positionOf(seq)
    if (this.#seqs[at] !== seq) return
    for (const column of [this.#edit(revision), this.#seqs, this.#revisions]) column.splice(at, 1)
  }

  /** Moves the second half into a new chunk and returns it. */
  split(): Chunk {
    const at = this.size >> 1
    const secondHalf = new Chunk([...this.entriesNewerThan(-1)].slice(at))
    secondHalf.newestRevision = this.newestRevision
    for (const column of [this.#edit(this.newestRevision), this.#seqs, this.#revisions]) column.splice(at)
    return secondHalf
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

  /** Returns the lines for modification and discards the compressed form. */
  #edit(revision: number): string[] {
    this.newestRevision = Math.max(this.newestRevision, revision)
    this.#compressed = undefined
    this.#content = this.#lines()
    return this.#content
  }
}

/** Ends each line after a document, so that clients can display documents before the rest has arrived. */
export const separator = ',\n'
const separatorBytes = Buffer.from(separator)

function joinLines(lines: string[]): Buffer {
  return Buffer.from(lines.join(separator))
}

/** The JSON of a document contains no line breaks, so every separator found is one. */
function splitLines(text: Buffer): string[] {
  return text.length === 0 ? [] : text.toString().split(separator)
}
