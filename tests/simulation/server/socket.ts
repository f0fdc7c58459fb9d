import { Duplex } from 'node:stream'

interface Options {
  remoteAddress: string
  /** Receives what the server writes, and tells when the client's machine has taken it. */
  onData(bytes: Buffer, onTaken: () => void): void
  /** Called once when the server has ended or destroyed the connection. */
  onClosed(): void
}

/** The server's end of a connection. Node's HTTP server parses what is pushed, as from a network. */
export class ServerSocket extends Duplex {
  readonly remoteAddress: string
  readonly #options: Options
  #isClosed = false

  constructor(options: Options) {
    super()
    this.#options = options
    this.remoteAddress = options.remoteAddress
    this.on('error', () => {})
  }

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, onTaken: () => void): void {
    this.#options.onData(bytes, onTaken)
  }

  override _final(done: () => void): void {
    this.#close()
    done()
  }

  override _destroy(_error: Error | null, done: () => void): void {
    this.#close()
    done()
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#options.onClosed()
  }

  // What Node's HTTP server calls of a socket. The limits of time have tests of their own.
  setTimeout = (): this => this
  setNoDelay = (): this => this
  setKeepAlive = (): this => this
  ref = (): this => this
  unref = (): this => this
  destroySoon(): void {
    if (this.writableFinished) this.destroy()
    else this.end(() => this.destroy())
  }
  resetAndDestroy = (): this => this.destroy()
}
