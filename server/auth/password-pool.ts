import type { Argon2Parameters } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { AppError } from '../app-error.ts'
import type { PasswordTask } from './password-worker.ts'

interface PasswordPoolOptions {
  /** Number of threads. Each uses the memory of one hash, see `HashCost`. */
  maxConcurrent?: number
  /** Maximum queue length. Beyond it, requests fail with `busy`. */
  maxWaiting?: number
}

export type PasswordPool = ReturnType<typeof createPasswordPool>

interface Job {
  task: PasswordTask
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

/**
 * Runs slow password work on low-priority threads, which are started on demand. libuv's threads have the same priority as
 * the main thread, so a flood of sign-ins would delay every other request.
 */
export function createPasswordPool(options: PasswordPoolOptions = {}) {
  const { maxConcurrent = availableParallelism(), maxWaiting = 100 } = options
  const queue: Job[] = []
  const idleWorkers: Worker[] = []
  const workers = new Map<Worker, Job | undefined>()

  function startWorker(): Worker {
    const worker = new Worker(new URL('./password-worker.ts', import.meta.url), { execArgv: [] })
    worker.unref()
    worker.on('message', (result: unknown) => {
      workers.get(worker)?.resolve(result)
      workers.set(worker, undefined)
      idleWorkers.push(worker)
      dispatchNext()
    })
    worker.on('error', (error) => {
      workers.get(worker)?.reject(error as Error)
      workers.delete(worker)
      dispatchNext()
    })
    return worker
  }

  function dispatchNext() {
    if (queue.length === 0) return
    const worker = idleWorkers.pop() ?? (workers.size < maxConcurrent ? startWorker() : undefined)
    if (!worker) return
    const job = queue.shift() as Job
    workers.set(worker, job)
    worker.postMessage(job.task)
  }

  function enqueue(task: PasswordTask): Promise<unknown> {
    if (queue.length >= maxWaiting) return Promise.reject(new AppError('busy', { retryAfterSeconds: 2 }))
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    queue.push({ task, resolve, reject })
    dispatchNext()
    return promise
  }

  return {
    hash: (parameters: Argon2Parameters) => enqueue({ hash: parameters }) as Promise<Uint8Array>,
    isCommon: (password: string) => enqueue({ isCommon: password }) as Promise<boolean>,
    close: () => Promise.all([...workers.keys()].map((worker) => worker.terminate())),
  }
}
