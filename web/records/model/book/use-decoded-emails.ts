import { useEffect } from 'react'
import { fieldNames, fieldOf } from '../../../../contract/employees.ts'
import { onEmailDecoder } from '../../../lib/domains/unicode-email.ts'
import { readableField } from '../fields.ts'
import { booksCopied } from './book-slice.ts'
import { useAppStore } from './store.ts'

/** Copies the records whose emails can now be decoded, so that what shows and finds them reads them again. */
export function useDecodedEmails(): void {
  const store = useAppStore()
  useEffect(
    () =>
      onEmailDecoder(() => {
        const copies = store
          .getState()
          .book.map((employee) =>
            fieldNames.some((name) => readableField(employee, name) !== fieldOf(employee, name))
              ? { ...employee }
              : employee,
          )
        store.dispatch(booksCopied(copies))
      }),
    [store],
  )
}
