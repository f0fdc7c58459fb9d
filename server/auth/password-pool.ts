import type { Argon2Parameters } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Refusal } from '../app-error.ts'

interface HashLimits {
  /** Hashes at once; each holds the memory that its cost says. */
  atOnce?: number
  /** Further ones that may wait; beyond, a request is refused as `busy`. */
  maxWaiting?: number
}

export type PasswordPool = ReturnType<typeof createPasswordPool>

export type PasswordTask = { hash: Argon2Parameters } | { isCommon: string }

interface Job {
  task: PasswordTask
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

/**
 * The slow work on passwords, on threads of its own and of low priority: libuv's threads have the priority of the one
 * that answers, and a flood of sign-ins made every other request wait. A thread is started when it is first needed.
 */
export function createPasswordPool({ atOnce = availableParallelism(), maxWaiting = 100 }: HashLimits = {}) {
  const queue: Job[] = []
  const idle: Worker[] = []
  const workers = new Map<Worker, Job | undefined>()

  function start(): Worker {
    const worker = new Worker(new URL('./password-worker.ts', import.meta.url), { execArgv: [] })
    worker.unref()
    worker.on('message', (result: unknown) => {
      workers.get(worker)?.resolve(result)
      workers.set(worker, undefined)
      idle.push(worker)
      next()
    })
    worker.on('error', (error) => {
      workers.get(worker)?.reject(error as Error)
      workers.delete(worker)
      next()
    })
    return worker
  }

  function next() {
    if (queue.length === 0) return
    const worker = idle.pop() ?? (workers.size < atOnce ? start() : undefined)
    if (!worker) return
    const job = queue.shift() as Job
    workers.set(worker, job)
    worker.postMessage(job.task)
  }

  function run(task: PasswordTask): Promise<unknown> {
    if (queue.length >= maxWaiting) return Promise.reject(new Refusal('busy', { retryAfter: 2 }))
    return new Promise((resolve, reject) => {
      queue.push({ task, resolve, reject })
      next()
    })
  }

  return {
    hash: (parameters: Argon2Parameters) => run({ hash: parameters }) as Promise<Uint8Array>,
    isCommon: (password: string) => run({ isCommon: password }) as Promise<boolean>,
    close: () => Promise.all([...workers.keys()].map((worker) => worker.terminate())),
  }
}
