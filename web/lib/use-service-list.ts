import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { reportError } from '../backends/messages.ts'
import { useIsSlow } from './use-is-slow.ts'

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
  const [isLoading, setLoading] = useState(false)
  const isSlow = useIsSlow(isLoading)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [error, setError] = useState('')

  /** Reports a failure, and returns whether the work succeeded. */
  const run = useCallback(
    async (work: () => Promise<void>) => {
      setLoading(true)
      setOutcome(null)
      setError('')
      try {
        await work()
        return true
      } catch (error) {
        setError(reportError(logMessage, error))
        return false
      } finally {
        setLoading(false)
      }
    },
    [logMessage],
  )

  const readList = useCallback(async () => {
    const byId = new Map((await read()).map((item) => [item.id, item]))
    setList((shown) => {
      const items = [...(shown ?? []), ...byId.values()].map((item) => byId.get(item.id) ?? item)
      return [...new Set(items)]
    })
    setPresent(byId)
  }, [read])
  const load = useCallback(() => void run(readList), [run, readList])
  useEffect(load, [load])

  /** Changes something, reports it, and reads the list again. Returns whether it succeeded. */
  const change = (message: Outcome, work: () => Promise<void>) =>
    run(async () => {
      await work()
      setOutcome(message)
      await readList()
    })

  /** Reads the list again in the background; a failure leaves it as it is. */
  const refresh = () => void readList().catch(() => {})

  /** Whether an item was not in the list when it was last read. */
  const isGone = ({ id }: T) => present?.has(id) === false

  return { list, isGone, isLoading, isSlow, outcome, error, load, refresh, change }
}
