import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { Employee, EmployeeFields } from '../../../../contract/employees.ts'
import { listen, stopAll } from '../../../lib/dom.ts'
import { draftFromEmployee, emptyDraft, isRunning, operationFromDraft } from '../book/operation.ts'
import { useCloseOnEscape } from '../keys/use-page-shortcuts.ts'
import { applyPendingUpdates, type Entry } from '../outbox/entry.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { useView } from '../view.ts'
import { chooseValue, type FieldConflict, mergeDraft, type Side, typeIntoDraft } from './merge-draft.ts'

export type Editing = ReturnType<typeof useEditing>

/** The form's draft, merged with others' changes, and the actions that change it. */
export function useEditing(outbox: Outbox, entries: readonly Entry[], book: readonly Employee[]) {
  const ownDraft = useSyncExternalStore(outbox.subscribe, outbox.form)
  const nameInput = useRef<HTMLInputElement>(null)
  const editedId = ownDraft.editing?.id
  const currentRecord = useMemo(
    () => (editedId === undefined ? undefined : book.find(({ id }) => id === editedId)),
    [book, editedId],
  )
  const merged = mergeDraft(ownDraft, currentRecord && applyPendingUpdates(currentRecord, entries))
  const { draft } = merged
  const { focus, focusForm, closeForm } = useView()
  useSaveOnLeave(outbox)

  /** A run that has ended is shown until the user closes it. */
  const endedRun = draft.run && !isRunning(draft) ? { run: draft.run } : {}
  const nextDraft = { ...emptyDraft, ...endedRun }

  function submit() {
    void outbox.submit(operationFromDraft(draft))
    // At once: a reload before the autosave would restore a draft that is already being sent.
    void outbox.saveForm(nextDraft)
    if (draft.editing) closeForm()
    if (draft.editing) focus({ on: 'row', id: draft.editing.id, ifHidden: 'focus form' })
    else focusForm()
  }

  function editEmployee(employee: Employee) {
    outbox.replaceForm({ ...draftFromEmployee(applyPendingUpdates(employee, entries)), ...endedRun })
    focusForm()
  }

  function editEntry(id: string) {
    if (outbox.takeForEditing(id, endedRun)) focusForm()
  }

  /** Stashes the draft, and focuses the row of the record if it still exists. */
  function cancelEditing() {
    if (!draft.editing) return
    outbox.replaceForm(nextDraft)
    closeForm()
    if (currentRecord) focus({ on: 'row', id: currentRecord.id, ifHidden: 'show all' })
    else focusForm()
  }

  useCloseOnEscape(draft.editing !== null && !isRunning(draft), cancelEditing)

  return {
    merged,
    /** The record being edited, as it is in the book. */
    currentRecord,
    wasDeleted: draft.editing !== null && !currentRecord,
    /** For the first field of the form. */
    nameInput,
    setFields: (fields: EmployeeFields) => outbox.setForm(typeIntoDraft(ownDraft, draft, fields)),
    choose: (conflict: FieldConflict, choice: Side) =>
      outbox.setForm(chooseValue(ownDraft, conflict, choice)),
    submit,
    editEmployee,
    editEntry,
    cancelEditing,
  }
}

/** Stores the form when the page is hidden or left, and warns before unsaved changes that can't be stored are lost. */
function useSaveOnLeave(outbox: Outbox) {
  const isAtRisk = useSyncExternalStore(
    outbox.subscribe,
    () => !outbox.isDurable && outbox.countUnsaved() > 0,
  )
  useEffect(() => {
    const save = () => void outbox.saveForm()
    return stopAll(listen(document, 'visibilitychange', save), save)
  }, [outbox])
  useEffect(() => {
    if (isAtRisk) return listen(window, 'beforeunload', (event) => event.preventDefault())
  }, [isAtRisk])
}
