/** Runs asynchronous work in order within a key, and concurrently across keys. */
export class SerialQueues {
  /** The last work of each key. */
  readonly #last = new Map<string, Promise<void>>()

  /** Runs the work when all earlier work of the key has been fulfilled or rejected. */
  run(key: string, work: () => Promise<void>): Promise<void> {
    const result = Promise.resolve(this.#last.get(key)).then(work, work)
    this.#last.set(key, result)
    return result
  }

  /** Resolves when all present work has settled, or after the timeout. */
  async waitUntilIdle(timeoutMs: number): Promise<void> {
    await Promise.race([
      Promise.allSettled(this.#last.values()),
      new Promise((resolve) => setTimeout(resolve, timeoutMs)),
    ])
  }
}
