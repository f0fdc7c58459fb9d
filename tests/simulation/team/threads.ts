import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { bundle, type Replacement } from '../engine/bundle.ts'
import type { Scripts } from './programs.ts'
import type { Scenario } from './scenario.ts'
import type { Outcome } from './simulate.ts'
import type { Answer } from './thread.ts'

/** Threads that run simulations, one each at a time. */
export class Threads {
  readonly #scripts: Scripts
  readonly #all: Worker[] = []
  readonly #idle: Worker[] = []
  readonly #waiting: ((thread: Worker) => void)[] = []

  constructor(scripts: Scripts, count: number) {
    this.#scripts = scripts
    for (let i = 0; i < count; i++) this.#start()
  }

  get count(): number {
    return this.#all.length
  }

  #start(): void {
    const thread = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: this.#scripts,
      // Most objects live for one simulation: with the usual 16 MB an eighth of the time went into moving them.
      resourceLimits: { maxYoungGenerationSizeMb: 192 },
    })
    this.#all.push(thread)
    this.#release(thread)
  }

  /** Runs a scenario as soon as a thread is idle. */
  async run(scenario: Scenario): Promise<Outcome> {
    const thread = this.#idle.pop() ?? (await new Promise<Worker>((resolve) => this.#waiting.push(resolve)))
    try {
      return await simulateIn(thread, scenario)
    } finally {
      this.#release(thread)
    }
  }

  #release(thread: Worker): void {
    const next = this.#waiting.shift()
    if (next) next(thread)
    else this.#idle.push(thread)
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((thread) => thread.terminate()))
  }
}

function simulateIn(thread: Worker, scenario: Scenario): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    // An error that no code has caught ends the thread.
    const fail = (error: Error) => reject(new Error(`seed ${scenario.seed} failed`, { cause: error }))
    thread.once('error', fail)
    thread.once('message', ({ outcome, error }: Answer) => {
      thread.off('error', fail)
      if (outcome) resolve(outcome)
      else fail(error)
    })
    thread.postMessage(scenario)
  })
}

/** Bundles the product once for all simulations. */
async function bundleProduct(mutation: readonly Replacement[]): Promise<Scripts> {
  const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
  const [app, writer, page, indexedDb] = await Promise.all([
    bundle(pathOf('../server/modules.ts'), 'server', mutation),
    bundle(pathOf('../../../server/storage/sqlite/writer/thread.ts'), 'server', mutation),
    bundle(pathOf('../page/page.ts'), 'page', mutation),
    bundle(pathOf('../browser/indexed-db-modules.ts'), 'page'),
  ])
  return { app, writer, page, indexedDb }
}

/**
 * Bundles the product, and starts threads that simulate with it: one for each core, unless a number is given. `mutation`: what is
 * replaced in it.
 */
export const startThreads = async (
  count = availableParallelism(),
  mutation: readonly Replacement[] = [],
): Promise<Threads> => new Threads(await bundleProduct(mutation), count)
