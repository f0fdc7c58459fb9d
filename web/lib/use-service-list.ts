import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { reportError } from '../backends/messages.ts'

/**
 * A list of the service, read when the component is mounted; null until it is. `read` must be stable, and `logMessage` is
 * logged with the code of a failure.
 */
export function useServiceList<T, Outcome extends ReactNode = string>(
  logMessage: string,
  read: () => Promise<T[]>,
) {
  const [list, setList] = useState<T[] | null>(null)
  const [isLoading, setLoading] = useState(false)
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

  const readList = useCallback(async () => setList(await read()), [read])
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

  return { list, isLoading, outcome, error, load, refresh, change }
}
