import { type MouseEvent, useDeferredValue, useMemo } from 'react'
import { toEmailKey } from '../../../../contract/accounts.ts'
import type { Employee } from '../../../../contract/employees.ts'
import { t } from '../../../language/translate.ts'
import { isolate } from '../../../lib/isolate.ts'
import { Name, Text } from '../../../ui/message.tsx'
import { displayName } from '../../model/fields.ts'
import styles from './duplicate-hint.module.css'

interface DuplicateHintProps {
  book: readonly Employee[]
  email: string
  /** The record being edited, which is not a duplicate of itself. */
  exceptId: string | undefined
  onShow(id: string): void
}

/**
 * Shows that another record has the same email, with a link to its row. The form can be submitted anyway. All inputs are
 * deferred: the email of one record and the id of the next would be a duplicate for a moment.
 */
export function DuplicateHint({ onShow, ...inputs }: DuplicateHintProps) {
  const book = useDeferredValue(inputs.book)
  const email = useDeferredValue(inputs.email)
  const exceptId = useDeferredValue(inputs.exceptId)
  const duplicates = useMemo(() => findSameEmail(book, email, exceptId), [book, email, exceptId])
  const [first] = duplicates

  function show(event: MouseEvent) {
    if (!first || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    onShow(first.id)
  }

  return (
    <span className={styles.hint}>
      {first && (
        <Text
          renderValue={(name) => (
            <a href={`?${new URLSearchParams({ q: first.email })}`} onClick={show}>
              <Name>{name}</Name>
            </a>
          )}
        >
          {t(
            '{others, plural, =0 {Already in the register: {name}} one {Already in the register: {name} and # other} other {Already in the register: {name} and # others}}',
            { name: isolate(displayName(first)), others: duplicates.length - 1 },
          )}
        </Text>
      )}
    </span>
  )
}

/** Returns the records with this email, in order of creation. */
export function findSameEmail(
  book: readonly Employee[],
  email: string,
  exceptId: string | undefined,
): Employee[] {
  const key = toEmailKey(email)
  return key ? book.filter(({ id, email }) => id !== exceptId && toEmailKey(email) === key) : []
}
