export interface HttpRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | null
}

/** A request as bytes. Each has its own connection. */
export function formatRequest({ method, path, headers, body }: HttpRequest, host: string): string {
  const bytes = body === null ? 0 : Buffer.byteLength(body)
  const lines = Object.entries({ host, connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  if (body !== null) lines.push(`content-length: ${bytes}`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

interface Handlers {
  onHead(status: number, headers: [string, string][]): void
  onBody(bytes: Buffer): void
  onEnd(): void
}

const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')

/** Parses a response whose bytes arrive in pieces. `isComplete` says whether its end has arrived. */
export class ResponseParser {
  isComplete = false
  readonly #handlers: Handlers
  #buffer: Buffer = Buffer.alloc(0)
  #isInBody = false
  /** How many are missing of the body, or of the chunk; undefined before a chunk. */
  #bytesLeft: number | undefined
  #isChunked = false

  constructor(handlers: Handlers) {
    this.#handlers = handlers
  }

  push(bytes: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, bytes])
    if (!this.#isInBody && !this.#readHead()) return
    if (this.#isChunked) this.#readChunks()
    else this.#readBody()
  }

  #readHead(): boolean {
    const end = this.#buffer.indexOf(headEnd)
    if (end < 0) return false
    const [statusLine = '', ...lines] = this.#take(end + headEnd.length)
      .toString()
      .trimEnd()
      .split('\r\n')
    const headers = lines.map((line): [string, string] => {
      const [name = '', value = ''] = line.split(/: (.*)/s)
      return [name.toLowerCase(), value]
    })
    const status = Number(statusLine.split(' ')[1])
    const header = (name: string) => headers.find(([other]) => other === name)?.[1]
    this.#isInBody = true
    this.#isChunked = header('transfer-encoding') === 'chunked'
    const hasNoBody = status === 204 || status === 304
    this.#bytesLeft = this.#isChunked ? undefined : hasNoBody ? 0 : Number(header('content-length') ?? 0)
    this.#handlers.onHead(status, headers)
    return true
  }

  #readBody(): void {
    const bytes = this.#take(Math.min(this.#buffer.length, this.#bytesLeft ?? 0))
    this.#bytesLeft = (this.#bytesLeft ?? 0) - bytes.length
    if (bytes.length > 0) this.#handlers.onBody(bytes)
    if (this.#bytesLeft === 0) this.#end()
  }

  #readChunks() {
    for (;;) {
      if (this.#bytesLeft === undefined) {
        const end = this.#buffer.indexOf(lineEnd)
        if (end < 0) return
        const size = this.#take(end + 2).toString()
        this.#bytesLeft = Number.parseInt(size, 16)
        if (Number.isNaN(this.#bytesLeft)) throw new Error(`${JSON.stringify(size)} is no size of a chunk`)
      }
      if (this.#buffer.length < this.#bytesLeft + 2) return
      const bytes = this.#take(this.#bytesLeft)
      this.#take(2)
      this.#bytesLeft = undefined
      if (bytes.length === 0) return this.#end()
      this.#handlers.onBody(bytes)
    }
  }

  #end(): void {
    if (this.isComplete) return
    this.isComplete = true
    this.#handlers.onEnd()
  }

  #take(length: number): Buffer {
    const bytes = this.#buffer.subarray(0, length)
    this.#buffer = this.#buffer.subarray(length)
    return bytes
  }
}
