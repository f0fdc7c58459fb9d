import type { ReactNode } from 'react'
import { useIsSlow } from '../lib/use-is-slow.ts'
import { Button } from './button.tsx'
import { Message } from './message.tsx'
import { loading, tryAgain } from './messages.ts'

/** The state of `useServiceList`. */
interface ListStatusProps {
  /** Null until it has been read. */
  list: readonly unknown[] | null
  isLoading: boolean
  outcome: ReactNode
  error: string
  load(): void
}

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
