import type { Clock, Owner } from '../engine/clock.ts'
import type { SimulatedServer } from '../server/server.ts'
import type { ServerSocket } from '../server/socket.ts'
import { formatRequest, type HttpRequest, ResponseParser } from './http.ts'
import { foreignAnswers, kindOf, type Link, type RequestFault } from './link.ts'

export interface ExchangeOptions {
  clock: Clock
  link: Link
  server: SimulatedServer
  /** Whose page asks. */
  owner: Owner
  request: HttpRequest
  signal: AbortSignal | undefined
  log(text: string): void
  /** Called with each answer of the server that a page receives. */
  onAnswer(answer: Answer): void
  /** Called with what the server sends, before anything gets lost. */
  onServed(bytes: Buffer): void
  /** What to call when the page ends, while the request is open. */
  open: Set<() => void>
}

export interface Answer {
  /** Who receives it. */
  owner: Owner
  request: HttpRequest
  status: number
  headers: Headers
}

/** How long a lost request or answer keeps a connection waiting before it breaks, in ms, unless it stays silent. */
const maxBreakMs = 3_000

/** How long an answer that arrives in pieces pauses between two of them, in ms. */
const maxPauseMs = 1_500

/** Where the pieces of a stream are so much behind already, they are not split further: they would be late long after the faults. */
const maxLagMs = 5_000

/**
 * One request on its own connection, as `fetch` sends it: resolves with the response when its head has arrived, and rejects if the
 * connection breaks before. The link decides how long everything takes, and what gets lost.
 */
export function exchange(options: ExchangeOptions): Promise<Response> {
  return new Promise((resolve, reject) => new Exchange(options, resolve, reject).begin())
}

class Exchange {
  readonly #options: ExchangeOptions
  readonly #resolve: (response: Response) => void
  readonly #reject: (error: unknown) => void
  readonly #request: HttpRequest
  readonly #fault: RequestFault | undefined
  readonly #isStream: boolean
  #socket: ServerSocket | undefined
  #body: ReadableStreamDefaultController<Uint8Array> | undefined
  #isOver = false
  #lastArrival = 0
  /** What is on its way to the page, in order. */
  readonly #arriving: (() => void)[] = []
  readonly #healCount: number
  #receivedBytes = 0
  /** How many pieces arrive before the one that is cut. */
  #wholePieces: number
  /** Once something was lost on the way, nothing that follows arrives. */
  #isMute = false
  readonly #stopListening: () => void
  /** What a proxy keeps back of a stream. */
  readonly #buffered: (() => void)[] = []

  constructor(
    options: ExchangeOptions,
    resolve: (response: Response) => void,
    reject: (error: unknown) => void,
  ) {
    this.#options = options
    this.#resolve = resolve
    this.#reject = reject
    const { link, request } = options
    const cookie = Array.from(link.cookies, ([name, value]) => `${name}=${value}`).join('; ')
    this.#request = { ...request, headers: { ...request.headers, ...(cookie && { cookie }) } }
    this.#fault = link.takeFault(kindOf(request.method, request.path))
    this.#isStream = request.path.includes('/changes') && !request.path.includes('follow=no')
    this.#wholePieces = this.#isStream && this.#fault === 'cut answer' ? link.random.below(4) : 0
    this.#healCount = link.healCount
    this.#stopListening = link.onCut(() => {
      this.#hangUp()
      // A frozen page learns of it later.
      options.clock.after(0, options.owner, () => this.#break())
    })
  }

  get #name(): string {
    const { method, path } = this.#options.request
    return `${method} ${path.replace('/api/', '')}`
  }

  #log(text: string): void {
    this.#options.log(`${this.#name} ${text}`)
  }

  begin() {
    const { signal, link, clock, owner, open, request } = this.#options
    if (signal?.aborted) return this.#fail(signal.reason)
    signal?.addEventListener('abort', () => this.#abort(signal.reason), { once: true })
    open.add(this.#leave)
    const delay = link.delay()
    if (link.faults.has('offline')) {
      link.onFault('offline')
      this.#log('not sent: offline')
      clock.after(delay, owner, () => this.#fail(new TypeError('Failed to fetch')))
      return
    }
    if (link.faults.has('unreachable')) {
      link.onFault('unreachable')
      this.#log('sent into nowhere')
      return
    }
    if (this.#fault === 'lost request') {
      this.#log('lost')
      return this.#breakLater()
    }
    if (link.faults.has('login page')) return this.#answerForeignly(link.pageAnswer)
    if (this.#fault === 'foreign answer' && link.random.chance(0.5))
      return this.#answerForeignly(link.random.below(foreignAnswers.length))
    const extra = this.#fault === 'late request' ? link.random.between(2_000, 60_000) : 0
    if (extra > 0) this.#log(`${Math.round(extra)} ms late`)
    this.#sendAfter(delay + extra, true)
    if (this.#fault === 'doubled request' && request.method !== 'GET') {
      this.#log('sent twice')
      this.#sendAfter(delay + link.random.between(0, 2_000), false)
    }
  }

  #answerForeignly(index: number): void {
    const { clock, link, owner } = this.#options
    const { status, type, body } = foreignAnswers[index] as (typeof foreignAnswers)[number]
    if (link.faults.has('login page')) link.onFault('login page')
    this.#log(`answered by something else: ${status} ${type}`)
    clock.after(2 * link.delay(), owner, () => {
      if (this.#isOver) return
      this.#end()
      this.#hangUp()
      this.#resolve(new Response(body, { status, headers: { 'content-type': type } }))
    })
  }

  /** `isAwaited`: the page receives this answer. */
  #sendAfter(delayMs: number, isAwaited: boolean): void {
    const { clock, link } = this.#options
    clock.after(delayMs, networkOwner, () => {
      // What a network has kept for long is lost when it heals.
      if (this.#healCount !== link.healCount || (this.#isOver && isAwaited)) return
      if (link.faults.has('unreachable')) return
      this.#connect(isAwaited)
    })
  }

  #connect(isAwaited: boolean): void {
    const { server, link } = this.#options
    const request = this.#request
    const parser = this.#createParser()
    let isForeign = this.#fault === 'foreign answer'
    const socket = server.connect({
      remoteAddress: link.address,
      onData: (bytes, onTaken) => {
        onTaken()
        this.#options.onServed(bytes)
        if (!isAwaited || this.#isOver) return
        if (this.#fault === 'lost answer') return
        if (isForeign) {
          isForeign = false
          this.#answerForeignly(link.random.below(foreignAnswers.length))
        } else if (this.#fault !== 'foreign answer') this.#deliver(Buffer.from(bytes), parser)
      },
      onClosed: () => {
        if (isAwaited) this.#arrive(() => !parser.isComplete && this.#break())
      },
    })
    if (!socket) {
      if (isAwaited) this.#arrive(() => this.#break())
      return
    }
    if (isAwaited) this.#socket = socket
    socket.push(formatRequest(request, serverHost))
    if (this.#fault === 'lost answer' && isAwaited) {
      this.#log('answer lost')
      this.#breakLater()
    }
  }

  #deliver(bytes: Buffer, parser: ResponseParser): void {
    const { clock, link } = this.#options
    const { random, healCount } = link
    const isLate = this.#lastArrival > clock.now + maxLagMs
    const isSplit = this.#fault === 'split answer' && this.#healCount === healCount && !isLate
    let rest = bytes
    while (isSplit && rest.length > 1 && random.chance(0.8)) {
      const at = 1 + random.below(rest.length - 1)
      this.#deliverPiece(rest.subarray(0, at), parser)
      this.#lastArrival += random.between(0, maxPauseMs)
      rest = rest.subarray(at)
    }
    this.#deliverPiece(rest, parser)
  }

  #deliverPiece(bytes: Buffer, parser: ResponseParser): void {
    const { link } = this.#options
    if (this.#fault === 'cut answer' && this.#wholePieces-- <= 0) {
      const cutAt = link.random.below(bytes.length)
      this.#log(`answer cut after ${this.#receivedBytes + cutAt} bytes`)
      this.#arrive(() => parser.push(bytes.subarray(0, cutAt)))
      this.#arrive(() => this.#break())
      return
    }
    const late =
      this.#fault === 'late answer' && this.#receivedBytes === 0 ? link.random.between(2_000, 60_000) : 0
    if (late > 0) this.#log(`answer ${Math.round(late)} ms late`)
    this.#receivedBytes += bytes.length
    this.#arrive(() => {
      if (this.#isMute) return
      if (this.#isMadeMute()) {
        this.#isMute = true
        return
      }
      if (this.#isStream && link.faults.has('buffered streams')) {
        link.onFault('buffered streams')
        this.#buffered.push(() => parser.push(bytes))
        return
      }
      for (const push of this.#buffered.splice(0)) push()
      parser.push(bytes)
    }, late)
  }

  #isMadeMute(): boolean {
    const { link } = this.#options
    if (link.faults.has('unreachable')) return true
    if (!this.#isStream || !link.faults.has('silent streams')) return false
    link.onFault('silent streams')
    return true
  }

  /** Runs in the page, in the order of the connection. */
  #arrive(act: () => void, extraMs = 0): void {
    const { clock, link, owner } = this.#options
    this.#lastArrival = Math.max(this.#lastArrival, clock.now + link.delay() + extraMs)
    // Times are rounded: what arrives at the same one could change places.
    this.#arriving.push(act)
    const arriveFirst = () => {
      const first = this.#arriving.shift()
      if (!this.#isOver) first?.()
    }
    clock.after(this.#lastArrival - clock.now, owner, arriveFirst, true)
  }

  #createParser(): ResponseParser {
    const { link, request, server, onAnswer } = this.#options
    return new ResponseParser({
      onHead: (status, lines) => {
        const headers = new Headers()
        for (const [name, value] of lines) {
          if (name === 'set-cookie') storeCookie(link, value)
          else headers.append(name, name === 'date' ? new Date(server.date).toUTCString() : value)
        }
        this.#log(`→ ${status}`)
        onAnswer({ owner: this.#options.owner, request, status, headers })
        const hasBody = status !== 204 && status !== 304
        const body = hasBody
          ? new ReadableStream<Uint8Array>({
              start: (controller) => {
                this.#body = controller
              },
              cancel: () => this.#abort(undefined),
            })
          : null
        this.#resolve(new Response(body, { status, headers }))
      },
      onBody: (bytes) => this.#body?.enqueue(new Uint8Array(bytes)),
      onEnd: () => {
        this.#body?.close()
        this.#end()
      },
    })
  }

  #breakLater(): void {
    const { clock, link, owner } = this.#options
    // Some networks say nothing.
    if (link.random.chance(0.4)) return
    clock.after(link.random.between(0, maxBreakMs), owner, () => this.#break())
  }

  #break(): void {
    if (this.#isOver) return
    this.#log('connection broken')
    this.#fail(new TypeError('network error'))
  }

  #abort(reason: unknown): void {
    if (this.#isOver) return
    this.#log('given up')
    this.#fail(reason)
  }

  #fail(error: unknown): void {
    if (this.#isOver) return
    this.#end()
    this.#body?.error(error)
    this.#reject(error)
    this.#hangUp()
  }

  #hangUp(): void {
    const { clock, link } = this.#options
    const socket = this.#socket
    if (socket) clock.after(link.delay(), networkOwner, () => socket.destroy())
  }

  #end(): void {
    this.#isOver = true
    this.#stopListening()
    this.#options.open.delete(this.#leave)
  }

  /** The page has gone. */
  readonly #leave = () => {
    this.#end()
    this.#hangUp()
  }
}

const serverHost = '10.0.0.1'

const networkOwner: Owner = { name: 'network', state: 'running', held: [] }

function storeCookie(link: Link, header: string): void {
  const [pair = '', ...attributes] = header.split('; ')
  const [name = '', value = ''] = pair.split(/=(.*)/s)
  if (attributes.some((attribute) => attribute.toLowerCase() === 'max-age=0')) link.cookies.delete(name)
  else link.cookies.set(name, value)
}
