import { setImmediate } from 'node:timers/promises'

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
    /** Lets other requests run. */
    async next() {
      await setImmediate()
      startedAt = performance.now()
    },
  }
}
