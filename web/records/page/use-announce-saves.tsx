import { useEffect, useRef } from 'react'
import { countChanges } from '../../../contract/batches.ts'
import { type Employee, hasSameFields } from '../../../contract/employees.ts'
import { t } from '../../language/translate.ts'
import { isolate } from '../../lib/isolate.ts'
import { useToast } from '../../ui/toast.tsx'
import { isBatch, type Operation, type RecordOperation } from '../model/book/operation.ts'
import { useAppStore } from '../model/book/store.ts'
import { displayName } from '../model/fields.ts'
import { type Entry, listUndone, type UndoableEntry } from '../model/outbox/entry.ts'
import type { Outbox } from '../model/outbox/outbox.ts'
import { useView } from '../model/view.ts'
import { isRowInViewport } from '../register/elements.ts'

/** Announces each saved record, in a toast if its row is out of sight. Returns what undoes entries, and makes a save silent. */
export function useAnnounceSaves(
  outbox: Outbox,
  announce: (message: string) => void,
  editEntry: (id: string) => void,
) {
  const showToast = useToast()
  const { focus } = useView()
  const store = useAppStore()
  /** Saves by record id that are not announced, because something else tells of them. */
  const silentSaves = useRef(new Map<string, Employee>())

  useEffect(() => {
    /** Compares the fields, because the save that was to be silent may have been discarded. */
    function isSilent(employee: Employee) {
      const silent = silentSaves.current.get(employee.id)
      return silent && hasSameFields(silent, employee) && silentSaves.current.delete(employee.id)
    }

    const announceRestored = (count: number) => void (count > 0 && announce(describeRestored(count)))

    function announceCompleted(operation: Operation) {
      // The undo bar reports what was undone in part.
      const isUndonePartly = outbox.entries().some(({ state }) => state === 'undone')
      if (operation.kind === 'undo-import') return isUndonePartly || showToast(t('Import undone.'))
      if (operation.kind === 'restore-many')
        return isUndonePartly || announceRestored(countChanges(operation.batch))
      // The undo bar announces these.
      if (isBatch(operation) || operation.kind === 'remove') return
      if ('employee' in operation && isSilent(operation.employee)) return
      const saved = findSavedRecord(operation, store.getState().book)
      if (!saved) return
      const message = describeSave(operation, isolate(displayName(saved)))
      // The undo bar shows an update, and where its record is.
      const isInUndoBar = operation.kind === 'update' && !operation.isUndo
      if (isInUndoBar || isRowInViewport(saved.id)) return announce(message)
      showToast(message, {
        label: t('Show'),
        isValid: () => store.getState().book.some(({ id }) => id === saved.id),
        onPress: () => focus({ on: 'row', id: saved.id, ifHidden: 'show all' }),
      })
    }
    return outbox.onComplete(announceCompleted)
  }, [store, outbox, showToast, focus, announce])

  const silence = (employee: Employee) => void silentSaves.current.set(employee.id, employee)

  /** Undoes one entry, once it has been sent, or several deletes. Focuses the first record; for a discarded draft, the form. */
  async function undo(entries: readonly UndoableEntry[]) {
    const deletes = entries.filter((entry) => entry.state === 'deleted')
    const [latest] = entries
    const first = latest && 'operation' in latest ? await outbox.settle(latest.id) : latest
    if (first?.state === 'discarded') return editEntry(first.id)
    const [shown] = first ? listUndone(first) : []
    if (shown) focus({ on: 'row', id: shown.id, ifHidden: 'wait' })
    if (deletes.length > 1) await outbox.undoDeletes(new Set(deletes.map(({ id }) => id)))
    else if (first) await outbox.undo(first.id)
  }

  return { undo, silence }
}

const describeRestored = (count: number) =>
  t('{count, plural, one {# record restored.} other {# records restored.}}', { count })

function describeSave(operation: RecordOperation, name: string): string {
  if (operation.kind === 'restore') return t('{name} restored.', { name })
  const isUndo = operation.kind === 'update' && operation.isUndo
  return isUndo ? t('{name} changed back.', { name }) : t('{name} saved.', { name })
}

/** Finds the record that an operation has saved; for an add, the newest record with its fields. */
function findSavedRecord(operation: RecordOperation, book: readonly Employee[]): Employee | undefined {
  if (operation.kind === 'add') return book.findLast((employee) => hasSameFields(employee, operation.fields))
  return book.findLast(({ id }) => id === operation.employee.id)
}

/** The second click of a double click follows within this time, in ms. Faster than anyone presses one row after the other. */
const doubleClickMs = 150

/** Returns a function that deletes a record, and again after a refusal. It ignores the second click of a double click. */
export function useRemove(outbox: Outbox) {
  const lastClickTime = useRef(Number.NEGATIVE_INFINITY)

  /** `clickTime` is the time stamp of the click in ms; undefined for a key. */
  return (employee: Employee, clickTime?: number) => {
    if (clickTime !== undefined) {
      if (clickTime - lastClickTime.current < doubleClickMs) return
      lastClickTime.current = clickTime
    }
    const isDelete = (entry: Entry) =>
      'operation' in entry && entry.operation.kind === 'remove' && entry.operation.employee.id === employee.id
    const earlier = outbox.entries().find(isDelete)
    if (!earlier) void outbox.submit({ kind: 'remove', employee })
    else if (earlier.state === 'refused') void outbox.retry(earlier.id)
  }
}
