import { useCallback, useEffect, useState } from 'react'
import { ServiceError } from '../backends/ports.ts'
import { errorMessage } from './messages.ts'

/**
 * A list of the service, read when the component is mounted; null until it is. `read` must be stable, and `logMessage` is
 * logged with the code of a failure.
 */
export function useServiceList<T>(logMessage: string, read: () => Promise<T[]>) {
  const [list, setList] = useState<T[] | null>(null)
  const [isLoading, setLoading] = useState(false)
  const [outcome, setOutcome] = useState('')
  const [error, setError] = useState('')

  /** Reports a failure, and returns whether the work succeeded. */
  const run = useCallback(
    async (work: () => Promise<void>) => {
      setLoading(true)
      setOutcome('')
      setError('')
      try {
        await work()
        return true
      } catch (error) {
        console.error(logMessage, error instanceof ServiceError ? error.code : error)
        setError(errorMessage(error))
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
  const change = (message: string, work: () => Promise<void>) =>
    run(async () => {
      await work()
      setOutcome(message)
      await readList()
    })

  return { list, isLoading, outcome, error, load, change }
}
