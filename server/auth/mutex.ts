import { AppError } from '../app-error.ts'

/** Runs tasks with the same key one after the other. Throws `too-many-requests` if `maxWaiting` of the key are waiting. */
export function createMutex(maxWaiting: number) {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>()

  return async <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 }
    if (queue.length > maxWaiting) throw new AppError('too-many-requests', { retryAfterSeconds: 1 })
    queues.set(key, queue)
    queue.length++
    const run = queue.last.then(task)
    queue.last = run.catch(() => {})
    try {
      return await run
    } finally {
      queue.length--
      if (queue.length === 0) queues.delete(key)
    }
  }
}
