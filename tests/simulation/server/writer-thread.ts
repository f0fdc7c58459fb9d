import type { Clock, Owner } from '../engine/clock.ts'
import type { Random } from '../engine/random.ts'

type Listener = (value: unknown) => unknown

interface Options {
  clock: Clock
  random: Random
  owner: Owner
  /** Runs the code of the thread with these modules. */
  start(modules: { parentPort: unknown; workerData: unknown; receiveMessageOnPort: unknown }): void
  /** Called before the thread receives messages. False if the server was killed by it. */
  onReceive(): boolean
  /** Called with each message of the thread before it is on its way. */
  onSend(message: unknown): void
}

const maxDelayMs = 3

/** Returns a class that takes the place of `Worker`: the thread's code runs on the caller's thread, and messages take virtual time. */
export function createWorkerClass({ clock, random, owner, start, onReceive, onSend }: Options) {
  return class SimulatedWorker {
    readonly #listeners = new Map<string, Listener[]>()
    readonly #inbox: unknown[] = []
    #receive: Listener = () => {}
    #lastArrival = 0

    constructor(_url: URL, { workerData }: { workerData: unknown }) {
      const parentPort = {
        on: (_type: string, listener: Listener) => {
          this.#receive = listener
        },
        postMessage: (message: unknown) => {
          onSend(message)
          this.#emitLater('message', structuredClone(message))
        },
        close: () => this.#emitLater('exit', 0),
      }
      const receiveMessageOnPort = () =>
        this.#inbox.length > 0 ? { message: this.#inbox.shift() } : undefined
      start({ parentPort, workerData, receiveMessageOnPort })
    }

    on(type: string, listener: Listener): this {
      this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener])
      return this
    }

    postMessage(message: unknown): void {
      this.#inbox.push(structuredClone(message))
      clock.after(random.between(0, maxDelayMs), owner, () => {
        // An earlier message may have taken this one along.
        if (this.#inbox.length > 0 && onReceive()) this.#receive(this.#inbox.shift())
      })
    }

    #emitLater(type: string, value: unknown): void {
      this.#lastArrival = Math.max(this.#lastArrival, clock.now + random.between(0, maxDelayMs))
      clock.after(this.#lastArrival - clock.now, owner, () => {
        for (const listener of this.#listeners.get(type) ?? []) listener(value)
      })
    }
  }
}
