import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useWork } from '../lib/use-action.ts'
import { reportError } from './messages.ts'

/**
 * A list of the service, read when the component is mounted; null until it is. When it is read again, its items stay in their
 * places, also those that are gone, and new ones follow. `read` must be stable, and `logMessage` is logged with the code of
 * a failure.
 */
export function useServiceList<T extends { id: string }, Outcome extends ReactNode = string>(
  logMessage: string,
  read: () => Promise<T[]>,
) {
  const [present, setPresent] = useState<ReadonlyMap<string, T> | null>(null)
  const [list, setList] = useState<T[] | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const work = useWork((failure) => reportError(logMessage, failure))
  const { isBusy: isLoading, isSlow, problem: error } = work
  const run = useTurns(work.run)

  async function readList() {
    const byId = new Map((await read()).map((item) => [item.id, item]))
    setList((shown) => {
      const items = [...(shown ?? []), ...byId.values()].map((item) => byId.get(item.id) ?? item)
      return [...new Set(items)]
    })
    setPresent(byId)
  }

  const load = () => void run(readList)
  const loadFirst = useEffectEvent(load)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function reads something else
  useEffect(() => loadFirst(), [read])

  /** Changes something in its turn, reports it, and reads the list again. Returns whether it succeeded. */
  function change(message: Outcome, makeChange: () => Promise<void>) {
    setOutcome(null)
    return run(async () => {
      await makeChange()
      setOutcome(message)
      await readList()
    })
  }

  /** Reads the list again in the background; a failure leaves it as it is. */
  const refresh = () => void readList().catch(() => {})

  /** Whether an item was not in the list when it was last read. */
  const isGone = ({ id }: T) => present?.has(id) === false

  return { list, isGone, isLoading, isSlow, outcome, error, load, refresh, change }
}

/** Does one thing at a time: what is pressed while something is on its way is done after it. */
function useTurns(run: (work: () => Promise<void>) => Promise<boolean>) {
  const last = useRef<Promise<unknown>>(Promise.resolve())
  return (work: () => Promise<void>): Promise<boolean> => {
    const result = last.current.then(() => run(work))
    last.current = result
    return result
  }
}
