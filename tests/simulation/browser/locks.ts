import type { Clock, Owner } from '../engine/clock.ts'

type Callback = (lock: { name: string } | null) => unknown

interface Request {
  name: string
  owner: Owner
  callback: Callback
  resolve(result: unknown): void
  reject(error: unknown): void
}

interface Options {
  ifAvailable?: boolean
  steal?: boolean
  signal?: AbortSignal
}

/** The Web Locks of one browser. All are exclusive. A page loses its own when it ends, and keeps them while it is frozen. */
export class Locks {
  readonly #clock: Clock
  readonly #onGrant: (owner: Owner, name: string) => void
  readonly #held = new Map<string, Request>()
  readonly #waiting = new Map<string, Request[]>()

  constructor(clock: Clock, onGrant: (owner: Owner, name: string) => void) {
    this.#clock = clock
    this.#onGrant = onGrant
  }

  /** `navigator.locks` of a page. */
  createManager(owner: Owner) {
    return {
      request: (name: string, ...[first, second]: [Callback] | [Options, Callback]) => {
        const options = second ? (first as Options) : {}
        return this.#request(owner, name, options, second ?? (first as Callback))
      },
      query: async () => ({ held: Array.from(this.#held.keys(), (name) => ({ name })), pending: [] }),
    }
  }

  /** How many locks a page holds or waits for. */
  count(owner: Owner): number {
    return [...this.#held.values(), ...[...this.#waiting.values()].flat()].filter(
      (request) => request.owner === owner,
    ).length
  }

  /** Whether a page holds one of these locks. */
  isHolding(owner: Owner, names: RegExp): boolean {
    return [...this.#held.values()].some((request) => request.owner === owner && names.test(request.name))
  }

  /** Whether a page holds or waits for one of these locks. */
  isUsing(owner: Owner, names: RegExp): boolean {
    return [...this.#held.values(), ...[...this.#waiting.values()].flat()].some(
      (request) => request.owner === owner && names.test(request.name),
    )
  }

  #request(
    owner: Owner,
    name: string,
    { ifAvailable, steal, signal }: Options,
    callback: Callback,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (owner.state === 'ended') return
      if (signal?.aborted) return reject(signal.reason)
      const request: Request = { name, owner, callback, resolve, reject }
      const isFree = !this.#held.has(name) && (this.#waiting.get(name) ?? []).length === 0
      if (ifAvailable && !isFree) {
        this.#inPage(owner, () => call(callback, null).then(resolve, reject))
        return
      }
      if (steal) {
        const stolen = this.#held.get(name)
        this.#held.delete(name)
        if (stolen)
          this.#inPage(stolen.owner, () =>
            stolen.reject(new DOMException('The lock was stolen.', 'AbortError')),
          )
        return this.#grant(request)
      }
      if (isFree) return this.#grant(request)
      const queue = this.#waiting.get(name) ?? []
      this.#waiting.set(name, queue)
      queue.push(request)
      signal?.addEventListener('abort', () => {
        if (!queue.includes(request)) return
        queue.splice(queue.indexOf(request), 1)
        reject(signal.reason)
      })
    })
  }

  #grant(request: Request): void {
    const { name, owner, callback, resolve, reject } = request
    this.#held.set(name, request)
    this.#onGrant(owner, name)
    const release = () => this.#release(request)
    this.#inPage(owner, () => call(callback, { name }).finally(release).then(resolve, reject))
  }

  #release(request: Request): void {
    const { name } = request
    if (this.#held.get(name) !== request) return
    this.#held.delete(name)
    const next = this.#waiting.get(name)?.shift()
    if (next) this.#grant(next)
  }

  /** Releases the locks of a page that has ended. */
  end(owner: Owner): void {
    for (const queue of this.#waiting.values()) {
      for (const request of queue.filter((request) => request.owner === owner))
        queue.splice(queue.indexOf(request), 1)
    }
    for (const request of [...this.#held.values()]) if (request.owner === owner) this.#release(request)
  }

  #inPage(owner: Owner, run: () => unknown): void {
    this.#clock.after(0, owner, run)
  }
}

const call = async (callback: Callback, lock: { name: string } | null) => callback(lock)
