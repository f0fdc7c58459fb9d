import { type RefObject, useRef } from 'react'
import { type Employee, sameFields } from '../../contract/employees.ts'
import type { Store } from '../store.ts'
import { isInSight } from '../ui/in-sight.ts'
import type { Say } from '../ui/notice.tsx'
import { Name } from './name.tsx'
import type { RecordOperation } from './operation.ts'
import type { Outbox } from './outbox.ts'
import type { RegisterHandle } from './register.tsx'

/** Rows that have moved so lately are not those the pointer was aimed at, in ms. */
const rowsSettle = 400

interface RecordChangesParts {
  store: Store
  outbox: Outbox
  register: RefObject<RegisterHandle | null>
  say: Say
}

/** Sends what a person does to a record, and says what came of it where that is out of sight. */
export function useRecordChanges({ store, outbox, register, say }: RecordChangesParts) {
  const rowsMovedAt = useRef(Number.NEGATIVE_INFINITY)

  async function save(operation: RecordOperation) {
    await outbox.submit(operation)
    const isWaiting = outbox.entries().some((entry) => 'operation' in entry && entry.operation === operation)
    const saved = isWaiting ? undefined : recordOf(operation, store.getState().book)
    if (!saved || register.current?.isInSight(saved.id)) return
    say(
      <>
        <Name of={saved.eName} /> is saved.
      </>,
      {
        label: 'Show',
        holds: () => store.getState().book.some(({ id }) => id === saved.id),
        onPress: () => register.current?.showRow(saved.id),
      },
    )
  }

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
        onPress() {
          void outbox.undo(deleted.id)
          register.current?.awaitRow(employee.id)
        },
      },
    )
  }

  return { save, remove }
}

/** The record that came of an operation; the newest of those with its fields. */
function recordOf(operation: RecordOperation, book: readonly Employee[]): Employee | undefined {
  const { id, ...fields } =
    operation.kind === 'add' ? { id: undefined, ...operation.fields } : operation.employee
  return book.findLast((employee) => (id === undefined ? sameFields(employee, fields) : employee.id === id))
}
