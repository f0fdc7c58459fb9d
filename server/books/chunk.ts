import { compressed, type Part } from './gzip-parts.ts'

/**
 * Neighbouring documents of the list, each kept as the line of JSON that is sent. What is made of them (the text, its
 * compressed form) is made when it is asked for and thrown away when a line changes.
 */
export class Chunk {
  /** The places of the lines, ascending. */
  readonly #seqs: number[] = []
  readonly #revisions: number[] = []
  readonly #lines: string[] = []
  #text: Buffer | undefined
  #part: Part | undefined
  /** The latest revision in here, or later: a removed line leaves its mark. */
  newest = 0

  get size() {
    return this.#lines.length
  }

  get first() {
    return this.#seqs[0] as number
  }

  get text(): Buffer {
    this.#text ??= Buffer.from(this.#lines.join(separator))
    return this.#text
  }

  get part(): Part {
    this.#part ??= compressed(this.text)
    return this.#part
  }

  save(seq: number, revision: number, line: string): void {
    const at = this.#positionOf(seq)
    const replaced = this.#seqs[at] === seq ? 1 : 0
    this.#seqs.splice(at, replaced, seq)
    this.#revisions.splice(at, replaced, revision)
    this.#lines.splice(at, replaced, line)
    this.#changed(revision)
  }

  remove(seq: number, revision: number): void {
    const at = this.#positionOf(seq)
    if (this.#seqs[at] !== seq) return
    for (const column of [this.#seqs, this.#revisions, this.#lines]) column.splice(at, 1)
    this.#changed(revision)
  }

  /** Takes the second half out, into a chunk of its own. */
  split(): Chunk {
    const half = new Chunk()
    const at = this.size >> 1
    half.#seqs.push(...this.#seqs.splice(at))
    half.#revisions.push(...this.#revisions.splice(at))
    half.#lines.push(...this.#lines.splice(at))
    half.#changed(this.newest)
    this.#changed(this.newest)
    return half
  }

  /** The last line before a place, if it is in here. */
  lineBefore(seq: number): string | undefined {
    return this.#lines[this.#positionOf(seq) - 1]
  }

  /** The lines newer than a revision, in order. */
  *newerThan(since: number): Generator<{ seq: number; revision: number; line: string }> {
    for (const [i, line] of this.#lines.entries()) {
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

  #changed(revision: number) {
    this.newest = Math.max(this.newest, revision)
    this.#text = undefined
    this.#part = undefined
  }
}

/** Stands between two documents, so that every document ends a line and can be shown before the next is here. */
export const separator = ',\n'
