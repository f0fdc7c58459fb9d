import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import styles from './message.module.css'
import { loading, tryAgain } from './messages.ts'

interface MessageProps {
  /** `alert` interrupts a screen reader; `status` does not; `note` is not announced. */
  role: 'alert' | 'status' | 'note'
  /** Uses the colors of success instead of those of a warning. */
  isSuccess?: boolean
  children?: ReactNode
}

/** A message box. Its element is always rendered: a live region must exist before its content changes. */
export function Message({ role, isSuccess = false, children }: MessageProps) {
  return (
    <div role={role} className={`${styles.message} ${isSuccess ? styles.success : styles[role]}`}>
      {children}
    </div>
  )
}

/** The state of `useServiceList`. */
interface ListStatusProps {
  /** Null until it has been read. */
  list: readonly unknown[] | null
  isSlow: boolean
  outcome: ReactNode
  error: string
  load(): void
}

/**
 * What a list of the service is doing, has done, or could not do; a list that was not read can be read again. Render it in an
 * element with `tabIndex`: it takes the focus of the button, which disappears.
 */
export function ListStatus({ list, isSlow, outcome, error, load }: ListStatusProps) {
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
