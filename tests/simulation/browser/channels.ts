import type { Clock, Owner } from '../engine/clock.ts'
import type { Random } from '../engine/random.ts'

interface Channel {
  owner: Owner
  name: string
  onmessage: ((event: { data: unknown }) => unknown) | null
  isClosed: boolean
  /** Messages arrive in their order. */
  lastArrival: number
}

const usualDelayMs = 5
/** A page that has much to do receives messages late. */
const lateDelayMs = 8_000

/** The broadcast channels of one browser. */
export class Channels {
  readonly #clock: Clock
  readonly #random: Random
  readonly #open = new Set<Channel>()
  /** Messages arrive late; `onLate` is called with each. */
  areLate = false
  onLate: () => void = () => {}

  constructor(clock: Clock, random: Random) {
    this.#clock = clock
    this.#random = random
  }

  /** The class `BroadcastChannel` of a page. */
  createClass(owner: Owner) {
    const open = this.#open
    const post = (from: Channel, data: unknown) => this.#post(from, data)
    return class SimulatedChannel implements Channel {
      readonly owner = owner
      readonly name: string
      onmessage: Channel['onmessage'] = null
      isClosed = false
      lastArrival = 0

      constructor(name: string) {
        this.name = name
        if (owner.state !== 'ended') open.add(this)
      }

      postMessage(data: unknown): void {
        if (this.isClosed) throw new DOMException('The channel is closed.', 'InvalidStateError')
        if (owner.state !== 'ended') post(this, data)
      }

      close(): void {
        this.isClosed = true
        open.delete(this)
      }
    }
  }

  #post(from: Channel, data: unknown): void {
    const maxDelayMs = this.areLate ? lateDelayMs : usualDelayMs
    for (const channel of this.#open) {
      if (channel === from || channel.name !== from.name) continue
      if (this.areLate) this.onLate()
      channel.lastArrival = Math.max(
        channel.lastArrival,
        this.#clock.now + this.#random.between(0, maxDelayMs),
      )
      const copy = structuredClone(data)
      this.#clock.after(channel.lastArrival - this.#clock.now, channel.owner, () => {
        if (!channel.isClosed) channel.onmessage?.({ data: copy })
      })
    }
  }

  count(owner: Owner): number {
    return [...this.#open].filter((channel) => channel.owner === owner).length
  }

  end(owner: Owner): void {
    for (const channel of this.#open) if (channel.owner === owner) this.#open.delete(channel)
  }
}
