import type { ReactNode } from 'react'
import { t } from '../language/translate.ts'
import { Button } from './button.tsx'
import styles from './list.module.css'
import { Message, Text } from './message.tsx'

interface ListItemProps {
  name: ReactNode
  /** The lines below the name; empty ones are left out. */
  details: readonly (string | false | undefined)[]
  className?: string | undefined
  children?: ReactNode
}

/** What is known of an account, a session, a link or a record, and what can be done to it. */
export function ListItem({ name, details, className = '', children }: ListItemProps) {
  return (
    <li className={`${styles.item} ${className}`}>
      <div>
        <p className={styles.name}>
          <Text>{name}</Text>
        </p>
        {details.map(
          (detail, index) =>
            detail && (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line keeps its place
              <p key={index} className={styles.time}>
                <Text>{detail}</Text>
              </p>
            ),
        )}
      </div>
      {children}
    </li>
  )
}

interface OnceButtonProps extends Omit<OnceItemProps<unknown>, 'item'> {
  /** The text before the press, and afterwards. */
  verbs: readonly [string, string]
  /** The names of the button for screen readers, with values in them. */
  labels: readonly [string, string]
}

/** The props of an item with a `OnceButton`. */
export interface OnceItemProps<Item> {
  item: Item
  isDone: boolean
  onClick(): void
}

/** A button that does something to an item once, and then says that it is done. */
export function OnceButton({ verbs, labels, isDone, onClick }: OnceButtonProps) {
  const state = isDone ? 1 : 0
  return (
    <Button
      translate="no"
      className={styles.once}
      // As wide for both texts, so that it moves nothing.
      data-other={verbs[1 - state]}
      aria-label={labels[state]}
      isDone={isDone}
      onClick={onClick}
    >
      {verbs[state]}
    </Button>
  )
}

/** As `useServiceList` returns it. */
interface ListStatusProps {
  list: readonly unknown[] | null
  isSlow: boolean
  outcome: ReactNode
  error: ReactNode
  load(): void
}

/** What a list of the service is doing, has done, or could not do. Its element needs a `tabIndex`, and may get the focus. */
export function ListStatus({ list, isSlow, outcome, error, load }: ListStatusProps) {
  return (
    <>
      {!list && isSlow && <p>{t('Loading…')}</p>}
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
            {t('Try again')}
          </Button>
        </p>
      )}
    </>
  )
}
