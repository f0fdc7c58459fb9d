import { useEffect } from 'react'
import { countChanges } from '../../../contract/batches.ts'
import { t } from '../../language/translate.ts'
import { isolate } from '../../lib/isolate.ts'
import { cutName, Text } from '../../ui/message.tsx'
import { getRecord, isBatch, type Operation } from '../model/book/operation.ts'
import { displayName } from '../model/fields.ts'
import type { EntryInState } from '../model/outbox/entry.ts'

interface SendingTextProps {
  entries: readonly EntryInState<'sending'>[]
  announce(text: string): void
}

/** Says what is being sent for a while. */
export function SendingText({ entries, announce }: SendingTextProps) {
  const isToBeUndone = entries.some((entry) => entry.isToBeUndone)
  const text = isToBeUndone ? t('Undoing…') : describeSending(entries.map(({ operation }) => operation))
  useEffect(() => announce(text), [text, announce])
  return <Text renderValue={cutName}>{text}</Text>
}

function describeSending(operations: readonly Operation[]): string {
  const [operation, ...others] = operations
  const total = { count: operations.length }
  if (!operation || others.length > 0)
    return t('{count, plural, one {Saving # change…} other {Saving # changes…}}', total)
  const count = isBatch(operation) ? countChanges(operation.batch) : 1
  const name = isBatch(operation) ? '' : isolate(displayName(getRecord(operation)))
  switch (operation.kind) {
    case 'import':
      return t('{count, plural, one {Importing # record…} other {Importing # records…}}', { count })
    case 'undo-import':
      return t('Undoing the import…')
    case 'delete-many':
      return t('{count, plural, one {Deleting # record…} other {Deleting # records…}}', { count })
    case 'restore-many':
      return t('{count, plural, one {Restoring # record…} other {Restoring # records…}}', { count })
    case 'remove':
      return t('Deleting {name}…', { name })
    case 'restore':
      return t('Restoring {name}…', { name })
    default:
      return t('Saving {name}…', { name })
  }
}
