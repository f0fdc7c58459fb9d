import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { type Employee, type EmployeeFields, hasSameFields } from '../../../../contract/employees.ts'
import { listen, stopAll } from '../../../lib/dom.ts'
import {
  type Draft,
  draftFromEmployee,
  emptyDraft,
  isRunning,
  operationFromDraft,
} from '../book/operation.ts'
import type { RecordList } from '../book/sync-employees.ts'
import { useCloseOnEscape } from '../keys/use-page-shortcuts.ts'
import { applyPendingUpdates, type Entry } from '../outbox/entry.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { useView } from '../view.ts'
import { chooseValue, type FieldConflict, mergeDraft, type Side, typeIntoDraft } from './merge-draft.ts'

export type Editing = ReturnType<typeof useEditing>

/** The form's draft, merged with others' changes, and the actions that change it. */
export function useEditing(outbox: Outbox, entries: readonly Entry[], { employees, status }: RecordList) {
  const ownDraft = useSyncExternalStore(outbox.subscribe, outbox.form)
  const nameInput = useRef<HTMLInputElement>(null)
  const currentRecord = useRecord(employees, ownDraft.editing?.id)
  const merged = useMerged(outbox, ownDraft, currentRecord && applyPendingUpdates(currentRecord, entries))
  const { draft } = merged
  const { focus, focusForm, closeForm } = useView()
  const wasDeleted = draft.editing !== null && !currentRecord && status === 'loaded'
  useSaveOnLeave(outbox)

  /** A run that has ended is shown until the user closes it. */
  const endedRun = draft.run && !isRunning(draft) ? { run: draft.run } : {}
  const nextDraft = { ...emptyDraft, ...endedRun }

  function submit() {
    void outbox.submit(operationFromDraft(draft, wasDeleted))
    // At once: a reload before the autosave would restore a draft that is already being sent.
    void outbox.saveForm(nextDraft)
    if (!draft.editing) return focusForm()
    closeForm()
    focus({ on: 'row', id: draft.editing.id, ifHidden: 'focus form' })
  }

  function editEmployee(employee: Employee) {
    outbox.replaceForm({ ...draftFromEmployee(applyPendingUpdates(employee, entries)), ...endedRun })
    focusForm()
  }

  function editEntry(id: string) {
    if (outbox.takeForEditing(id, endedRun)) focusForm()
  }

  /** Takes the draft out of the form, and focuses the row of the record if it still exists. */
  function leaveEditing(state: 'draft' | 'discarded') {
    if (!draft.editing) return
    outbox.replaceForm(nextDraft, state)
    closeForm()
    if (currentRecord) focus({ on: 'row', id: currentRecord.id, ifHidden: 'show all' })
    else focusForm()
  }

  useCloseOnEscape(draft.editing !== null && !isRunning(draft), () => leaveEditing('draft'))

  return {
    merged,
    /** The record being edited, as it is in the book. */
    currentRecord,
    wasDeleted,
    /** For the first field of the form. */
    nameInput,
    setFields: (fields: EmployeeFields) => outbox.setForm(typeIntoDraft(ownDraft, draft, fields)),
    choose: (conflicts: readonly FieldConflict[], choice: Side) =>
      outbox.setForm(conflicts.reduce((draft, conflict) => chooseValue(draft, conflict, choice), ownDraft)),
    submit,
    editEmployee,
    editEntry,
    cancelEditing: () => leaveEditing('discarded'),
  }
}

/** Finds a record in the book; undefined if it isn't there, or without an ID. */
function useRecord(book: readonly Employee[], wantedId: string | undefined): Employee | undefined {
  return useMemo(
    () => (wantedId === undefined ? undefined : book.find(({ id }) => id === wantedId)),
    [book, wantedId],
  )
}

/** Merges the draft, and keeps the record as it is now in it, because after a reload nothing else knows one that is deleted. */
function useMerged(outbox: Outbox, draft: Draft, current: Employee | undefined) {
  const known = draft.seen ?? draft.editing
  useEffect(() => {
    if (draft !== outbox.form() || !current || !known || hasSameFields(current, known)) return
    outbox.setForm({ ...draft, seen: current })
  })
  return mergeDraft(draft, current)
}

/** Stores the form when the page is hidden or left. */
function useSaveOnLeave(outbox: Outbox) {
  useEffect(() => {
    const save = () => void outbox.saveForm()
    return stopAll(listen(document, 'visibilitychange', save), save)
  }, [outbox])
}
