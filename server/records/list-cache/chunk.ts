import { compressPart, type GzipPart } from './joined-gzip.ts'

/** A document of the list: its place in the order of creation, the write that made it so, its JSON. */
export interface ListEntry {
  seq: number
  revision: number
  line: string
}

/**
 * Neighbouring documents of the list, each kept as the line of JSON that is sent. They are lines while they are written
 * to and bytes once they are read, and never both: most of a large register is only ever read, and strings take half as
 * much memory again.
 */
export class Chunk {
  /** The places of the lines, ascending. */
  readonly #seqs: number[]
  readonly #revisions: number[]
  #content: string[] | Buffer
  #part: GzipPart | undefined
  /** The latest revision in here, or later: a removed line leaves its mark. */
  newestRevision: number

  /** `lines` in order of their places. */
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

  get gzipPart(): GzipPart {
    this.#part ??= compressPart(this.text)
    return this.#part
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

  /** Takes the second half out, into a chunk of its own. */
  split(): Chunk {
    const at = this.size >> 1
    const secondHalf = new Chunk([...this.entriesNewerThan(-1)].slice(at))
    secondHalf.newestRevision = this.newestRevision
    for (const column of [this.#edit(this.newestRevision), this.#seqs, this.#revisions]) column.splice(at)
    return secondHalf
  }

  /** The last line before a place, if it is in here. */
  lineBefore(seq: number): string | undefined {
    return this.#lines()[this.#positionOf(seq) - 1]
  }

  /** The lines newer than a revision, in order. */
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

  /** The lines, to be changed by the write of this revision. */
  #edit(revision: number): string[] {
    this.newestRevision = Math.max(this.newestRevision, revision)
    this.#part = undefined
    this.#content = this.#lines()
    return this.#content
  }
}

/** Stands between two documents, so that every document ends a line and can be shown before the next is here. */
export const separator = ',\n'

function joinLines(lines: string[]): Buffer {
  return Buffer.from(lines.join(separator))
}

/** JSON has no line break of its own, so that a separator is always one. */
function splitLines(text: Buffer): string[] {
  return text.length === 0 ? [] : text.toString().split(separator)
}
