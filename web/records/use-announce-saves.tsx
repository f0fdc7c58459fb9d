import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { type Employee, hasSameFields } from '../../contract/employees.ts'
import { isInViewport } from '../lib/in-viewport.ts'
import { useAppStore } from '../store-hooks.ts'
import type { ShowToast } from '../ui/toast.tsx'
import { EmployeeName } from './employee-name.tsx'
import { type Entry, withoutRestored } from './outbox/entry.ts'
import { isBatch, type Operation, type RecordOperation } from './outbox/operation.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { EmployeeListHandle } from './table/employee-list.tsx'

/** A click within this time after the rows have moved was meant for another row, in ms. */
const ignoreClicksAfterShiftMs = 400

interface AnnounceSavesOptions {
  outbox: Outbox
  employeeList: RefObject<EmployeeListHandle | null>
  showToast: ShowToast
  /** Announces a message to screen readers only, because the row is visible. */
  announce(message: ReactNode): void
}

/**
 * Announces each saved record: in a toast if its row is outside of the viewport, otherwise to screen readers only. Returns
 * functions that delete a record and undo an entry.
 */
export function useAnnounceSaves({ outbox, employeeList, showToast, announce }: AnnounceSavesOptions) {
  const store = useAppStore()
  const rowsMovedAt = useRef(Number.NEGATIVE_INFINITY)

  useEffect(() => {
    function announceCompleted(operation: Operation) {
      if (operation.kind === 'undo-import') return showToast('The import is undone.')
      // The outbox list shows these.
      if (isBatch(operation) || operation.kind === 'remove') return
      const saved = findSavedRecord(operation, store.getState().book)
      if (!saved) return
      const message = (
        <>
          <EmployeeName name={saved.eName} /> is {operation.kind === 'restore' ? 'back' : 'saved'}.
        </>
      )
      if (employeeList.current?.isInViewport(saved.id)) return announce(message)
      showToast(message, {
        label: 'Show',
        isValid: () => store.getState().book.some(({ id }) => id === saved.id),
        onPress: () => employeeList.current?.showRow(saved.id),
      })
    }
    return outbox.onComplete(announceCompleted)
  }, [store, outbox, employeeList, showToast, announce])

  /** `clickCount` is the number of clicks in quick succession (`event.detail`), or 0 for a key. */
  async function remove(employee: Employee, clickCount: number) {
    if (
      clickCount > 1 ||
      (clickCount === 1 && performance.now() - rowsMovedAt.current < ignoreClicksAfterShiftMs)
    )
      return
    await outbox.submit({ kind: 'remove', employee })
    rowsMovedAt.current = performance.now()
    const findDeletedEntry = () =>
      withoutRestored(outbox.entries(), store.getState().book).find(
        (entry) => entry.state === 'deleted' && entry.employee.id === employee.id,
      )
    const deleted = findDeletedEntry()
    if (!deleted || isInViewport(document.getElementById(deleted.id))) return
    showToast(
      <>
        Deleted <EmployeeName name={employee.eName} />
      </>,
      {
        label: 'Undo',
        isSticky: true,
        isValid: () => findDeletedEntry() !== undefined,
        onPress: () => undo(deleted),
      },
    )
  }

  /** Undoes a delete or an import. Focuses the restored record. */
  function undo(entry: Entry) {
    void outbox.undo(entry.id)
    if (entry.state === 'deleted') employeeList.current?.focusRowWhenAdded(entry.employee.id)
  }

  return { remove, undo }
}

/** Finds the record that an operation has saved; for an add, the newest record with its fields. */
function findSavedRecord(operation: RecordOperation, book: readonly Employee[]): Employee | undefined {
  const { id, ...fields } =
    operation.kind === 'add' ? { id: undefined, ...operation.fields } : operation.employee
  return book.findLast((employee) =>
    id === undefined ? hasSameFields(employee, fields) : employee.id === id,
  )
}
