import type { Argon2Parameters } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { AppError } from '../app-error.ts'

interface PasswordPoolOptions {
  /** Number of threads. Each uses the memory of one hash, see `HashCost`. */
  maxConcurrent?: number
  /** Maximum queue length. Beyond it, requests fail with `busy`. */
  maxWaiting?: number
  /** The oldest task that has taken longer runs at normal priority too, so that other programs cannot delay it for long. */
  urgentAfterMs?: number
}

export type PasswordPool = ReturnType<typeof createPasswordPool>

export interface PasswordWorkerData {
  hasLowPriority: boolean
}

export type PasswordTask = { hash: Argon2Parameters } | { isCommon: string }

interface Job {
  task: PasswordTask
  startedAt: number
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

/**
 * Runs slow password work on low-priority threads, which are started on demand. libuv's threads have the same priority as
 * the main thread, so a flood of sign-ins would delay every other request.
 */
export function createPasswordPool({
  maxConcurrent = availableParallelism(),
  maxWaiting = 100,
  urgentAfterMs = 1000,
}: PasswordPoolOptions = {}) {
  const queue: Job[] = []
  const idleWorkers: Worker[] = []
  const workers = new Map<Worker, Job | undefined>()
  /** Sorted by their start. */
  const unfinished = new Set<Job>()
  let urgentWorker: Worker | undefined
  const urgentTimer = setInterval(startUrgentJob, urgentAfterMs).unref()

  function startWorker(): Worker {
    const worker = createWorker({ hasLowPriority: true })
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
    if (!unfinished.has(job)) {
      idleWorkers.push(worker)
      dispatchNext()
      return
    }
    workers.set(worker, job)
    worker.postMessage(job.task)
  }

  function enqueue(task: PasswordTask): Promise<unknown> {
    if (queue.length >= maxWaiting) return Promise.reject(new AppError('busy', { retryAfterSeconds: 2 }))
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const job = { task, startedAt: performance.now(), resolve, reject }
    unfinished.add(job)
    queue.push(job)
    dispatchNext()
    return promise.finally(() => unfinished.delete(job))
  }

  /** Runs the oldest task a second time, in a thread of its own. The first result counts. */
  function startUrgentJob() {
    const [job] = unfinished
    if (!job || urgentWorker || performance.now() - job.startedAt < urgentAfterMs) return
    const worker = createWorker({ hasLowPriority: false })
    urgentWorker = worker
    const end = () => {
      urgentWorker = undefined
      void worker.terminate()
    }
    worker.once('message', job.resolve).once('message', end).once('error', end)
    worker.postMessage(job.task)
  }

  return {
    hash: (parameters: Argon2Parameters) => enqueue({ hash: parameters }) as Promise<Uint8Array>,
    isCommon: (password: string) => enqueue({ isCommon: password }) as Promise<boolean>,
    close() {
      clearInterval(urgentTimer)
      return Promise.all([...workers.keys(), urgentWorker].map((worker) => worker?.terminate()))
    },
  }
}

function createWorker(workerData: PasswordWorkerData): Worker {
  const url = new URL('./password-worker.ts', import.meta.url)
  const worker = new Worker(url, { workerData, execArgv: [] })
  worker.unref()
  return worker
}
