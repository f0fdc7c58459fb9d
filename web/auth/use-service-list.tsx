import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { ServiceError } from '../backends/ports.ts'
import { useIsSlow } from '../lib/use-is-slow.ts'
import { Button } from '../ui/button.tsx'
import { Message } from '../ui/message.tsx'
import { loading, tryAgain } from '../ui/words.ts'
import { errorMessage } from './messages.ts'

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

type ListStatusProps = Pick<
  ReturnType<typeof useServiceList<unknown, ReactNode>>,
  'list' | 'isLoading' | 'outcome' | 'error' | 'load'
>

/**
 * What a list of the service is doing, has done, or could not do; a list that was not read can be read again. Render it in an
 * element with `tabIndex`: it takes the focus of the button, which disappears.
 */
export function ListStatus({ list, isLoading, outcome, error, load }: ListStatusProps) {
  const isSlow = useIsSlow(isLoading)
  return (
    <>
      {!list && isSlow && <p>{loading}</p>}
      <Message role="status" isSuccess>
        {outcome}
      </Message>
      <Message role="alert">{error}</Message>
      {!list && error && (
        <p>
          <Button
            onClick={({ currentTarget }) => {
              currentTarget.closest<HTMLElement>('[tabindex]')?.focus()
              load()
            }}
          >
            {tryAgain}
          </Button>
        </p>
      )}
    </>
  )
}
