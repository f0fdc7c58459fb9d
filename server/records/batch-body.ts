import { type Batch, maxBatchBytes, maxBatchSize } from '../../contract/batches.ts'
import { AppError } from '../app-error.ts'
import { parseJsonBytes } from '../http/json-body.ts'
import { startTurn } from '../yield-to-event-loop.ts'

/** Throws if the batch is invalid. `firstIndex` is the position of its first changes in their list. */
export type BatchValidator = (batch: unknown, firstIndex: number) => void

/** Changes are parsed and validated in slices of this size, which takes a few milliseconds each. */
const defaultSliceBytes = 64 * 1024
/** An update with every character escaped has 361 KB. */
const maxChangeBytes = 1024 * 1024
/** Commas in one change. An update has 6. */
const maxCommas = 32
/** All that is outside the changes. */
const maxOutlineBytes = 64 * 1024
/** batch > list > update > its `seen` and `fields` */
const maxDepth = 4

/**
 * Parses the JSON of a batch while it arrives, in slices, so that no body blocks other requests: parsing 64 MB of nested or
 * empty values at once can take minutes and gigabytes, and in a worker thread aborts the process at the thread's heap limit.
 * Throws `invalid-request` or `too-large`.
 */
export async function parseBatch(
  body: AsyncIterable<Buffer>,
  validate: BatchValidator,
  sliceBytes = defaultSliceBytes,
): Promise<Batch> {
  const parser = new BatchParser(validate, sliceBytes)
  const turn = startTurn()
  try {
    for await (const chunk of body) {
      parser.write(chunk)
      if (turn.isOver()) await turn.next()
    }
  } catch (error) {
    // The other errors are those of gunzip.
    throw error instanceof AppError ? error : new AppError('invalid-request')
  }
  return parser.end()
}

const emptyBatch = { add: [], update: [], remove: [] }
const [quote, backslash, comma] = Buffer.from('"\\,')
const [openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('{}[]')

/**
 * Divides the body into an outline, such as `{"add":[],"update":[],"remove":[]}`, and slices of the lists in it. The body is
 * valid JSON if the outline and `[slice]` are.
 */
class BatchParser {
  readonly #validate: BatchValidator
  readonly #sliceBytes: number
  readonly #lists: Partial<Record<keyof Batch, unknown[]>> = {}
  readonly #outline = createByteList(maxOutlineBytes)
  readonly #slice = createByteList(maxChangeBytes)
  #name: keyof Batch | undefined
  #totalBytes = 0
  #changeCount = 0
  #depth = 0
  #commas = 0
  #isInString = false
  #isEscaped = false

  constructor(validate: BatchValidator, sliceBytes: number) {
    this.#validate = validate
    this.#sliceBytes = sliceBytes
  }

  write(chunk: Buffer): void {
    this.#totalBytes += chunk.length
    if (this.#totalBytes > maxBatchBytes) throw new AppError('too-large')
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      if (this.#isInString) this.#readCharacter(byte)
      else if (byte === quote) this.#isInString = true
      else if (byte === openBrace || byte === openBracket) {
        this.#depth++
        if (this.#depth > maxDepth) throw new AppError('invalid-request')
        if (this.#depth !== 2 || byte !== openBracket) continue
        this.#outline.push(chunk.subarray(start, at + 1))
        start = at + 1
        this.#beginList()
      } else if (byte === closeBrace || byte === closeBracket) {
        this.#depth--
        if (this.#depth !== 1 || !this.#name) continue
        this.#slice.push(chunk.subarray(start, at))
        start = at
        this.#endList(this.#name)
      } else if (byte === comma && this.#name && this.#endsSlice(at - start)) {
        this.#slice.push(chunk.subarray(start, at))
        start = at + 1
        if (this.#parseSlice(this.#name) === 0) throw new AppError('invalid-request')
      }
    }
    const rest = this.#name ? this.#slice : this.#outline
    rest.push(chunk.subarray(start))
  }

  end(): Batch {
    this.#validate(parseJsonBytes(this.#outline.take()), 0)
    // The validator has checked every slice.
    return { ...emptyBatch, ...this.#lists } as Batch
  }

  #readCharacter(byte: number | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === backslash) this.#isEscaped = true
    else if (byte === quote) this.#isInString = false
  }

  /** Handles a comma in a list. Returns whether the slice, with `length` bytes of this chunk, is large enough. */
  #endsSlice(length: number): boolean {
    this.#commas++
    if (this.#commas > maxCommas) throw new AppError('invalid-request')
    if (this.#depth > 2) return false
    this.#countChange()
    return this.#slice.byteLength() + length >= this.#sliceBytes
  }

  #countChange(): void {
    this.#commas = 0
    this.#changeCount++
    if (this.#changeCount <= maxBatchSize) return
    throw new AppError('too-large', { message: `A batch may hold ${maxBatchSize} changes.` })
  }

  #beginList(): void {
    const outline = parseJsonBytes(Buffer.concat([this.#outline.peek(), Buffer.from(']}')]))
    this.#validate({ ...emptyBatch, ...Object(outline) }, 0)
    const names = Object.keys(Object(outline)) as (keyof Batch)[]
    this.#name = names.at(-1)
    // A list name that occurs twice adds no key: reject it.
    if (!this.#name || names.length !== Object.keys(this.#lists).length + 1) {
      throw new AppError('invalid-request')
    }
    this.#lists[this.#name] = []
  }

  #endList(name: keyof Batch): void {
    const list = this.#lists[name] ?? []
    const isEmpty = list.length === 0
    const length = this.#parseSlice(name)
    if (length > 0) this.#countChange()
    else if (!isEmpty) throw new AppError('invalid-request')
    this.#name = undefined
  }

  #parseSlice(name: keyof Batch): number {
    const bytes = this.#slice.take()
    const changes = parseJsonBytes(Buffer.concat([Buffer.from('['), bytes, Buffer.from(']')])) as unknown[]
    const list = this.#lists[name] ?? []
    this.#validate({ ...emptyBatch, [name]: changes }, list.length)
    for (const change of changes) list.push(change)
    return changes.length
  }
}

/** Bytes that arrive in pieces. Throws `too-large` beyond `maxBytes`. */
function createByteList(maxBytes: number) {
  let pieces: Buffer[] = []
  let byteLength = 0
  const peek = () => Buffer.concat(pieces)
  return {
    byteLength: () => byteLength,
    peek,
    push(piece: Buffer): void {
      byteLength += piece.length
      if (byteLength > maxBytes) throw new AppError('too-large')
      pieces.push(piece)
    },
    take(): Buffer {
      const bytes = peek()
      pieces = []
      byteLength = 0
      return bytes
    },
  }
}
