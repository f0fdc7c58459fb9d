import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { type Employee, sameFields } from '../../contract/employees.ts'
import { isInSight } from '../lib/in-viewport.ts'
import type { Store } from '../store.ts'
import type { Say } from '../ui/toast.tsx'
import { Name } from './employee-name.tsx'
import type { Entry } from './outbox/entry.ts'
import { isBatch, type Operation, type RecordOperation } from './outbox/operation.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { RegisterHandle } from './table/employee-list.tsx'

/** Rows that have moved so lately are not those the pointer was aimed at, in ms. */
const rowsSettle = 400

interface RecordChangesParts {
  store: Store
  outbox: Outbox
  register: RefObject<RegisterHandle | null>
  say: Say
  /** For screen readers alone: what can be seen. */
  speak(words: ReactNode): void
}

/** Sends what a person does to a record, and says what came of it: aloud, and in writing where it is out of sight. */
export function useRecordChanges({ store, outbox, register, say, speak }: RecordChangesParts) {
  const rowsMovedAt = useRef(Number.NEGATIVE_INFINITY)

  useEffect(() => {
    function tell(operation: Operation) {
      if (operation.kind === 'undo-import') return say('The import is undone.')
      // The strip says it.
      if (isBatch(operation) || operation.kind === 'remove') return
      const saved = recordOf(operation, store.getState().book)
      if (!saved) return
      const words = (
        <>
          <Name of={saved.eName} /> is {operation.kind === 'restore' ? 'back' : 'saved'}.
        </>
      )
      if (register.current?.isInSight(saved.id)) return speak(words)
      say(words, {
        label: 'Show',
        holds: () => store.getState().book.some(({ id }) => id === saved.id),
        onPress: () => register.current?.showRow(saved.id),
      })
    }
    return outbox.onDone(tell)
  }, [store, outbox, register, say, speak])

  /** `presses`: how many the pointer has made in a row; 0 where it was a key. */
  async function remove(employee: Employee, presses: number) {
    if (presses > 1 || (presses === 1 && performance.now() - rowsMovedAt.current < rowsSettle)) return
    await outbox.submit({ kind: 'remove', employee })
    rowsMovedAt.current = performance.now()
    const find = () =>
      outbox.entries().find((entry) => entry.state === 'deleted' && entry.employee.id === employee.id)
    const deleted = find()
    if (!deleted || isInSight(document.getElementById(deleted.id))) return
    say(
      <>
        Deleted <Name of={employee.eName} />
      </>,
      {
        label: 'Undo',
        stays: true,
        holds: () => find() !== undefined,
        onPress: () => undo(deleted),
      },
    )
  }

  /** Takes a delete or an import back; the focus goes to the record that comes back. */
  function undo(entry: Entry) {
    void outbox.undo(entry.id)
    if (entry.state === 'deleted') register.current?.awaitRow(entry.employee.id)
  }

  return { remove, undo }
}

/** The record that came of an operation; the newest of those with its fields. */
function recordOf(operation: RecordOperation, book: readonly Employee[]): Employee | undefined {
  const { id, ...fields } =
    operation.kind === 'add' ? { id: undefined, ...operation.fields } : operation.employee
  return book.findLast((employee) => (id === undefined ? sameFields(employee, fields) : employee.id === id))
}
