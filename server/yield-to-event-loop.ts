import { setImmediate } from 'node:timers/promises'
import { AppError } from './app-error.ts'

/** Time after which other requests get their turn, in ms. */
const maxTurnMs = 10

/** Calls `work` with each item. Other requests run in between, so that long work delays none of them. */
export async function inTurns<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  const turn = startTurn()
  for (const item of items) {
    work(item)
    if (turn.isOver()) await turn.next()
  }
}

/** Measures how long other requests have been waiting. */
export function startTurn() {
  let startedAt = performance.now()
  return {
    isOver: () => performance.now() - startedAt >= maxTurnMs,
    async next() {
      await setImmediate()
      startedAt = performance.now()
    },
  }
}

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
