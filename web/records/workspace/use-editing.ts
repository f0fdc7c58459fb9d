import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Employee, EmployeeFields } from '../../../contract/employees.ts'
import { afterPaint, isInViewport, observeHeight } from '../../lib/dom.ts'
import { chooseValue, type FieldConflict, mergeDraft, typeIntoDraft } from '../form/merge-draft.ts'
import { useDraft } from '../form/use-draft.ts'
import { type Draft, draftFromEmployee, emptyDraft } from '../outbox/draft.ts'
import { applyPendingUpdates, type Entry } from '../outbox/entry.ts'
import { operationFromDraft } from '../outbox/operation.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { EmployeeListHandle } from '../table/employee-list.tsx'

interface EditingOptions {
  outbox: Outbox
  entries: readonly Entry[]
  initialDraft: Draft
  book: readonly Employee[]
  employeeList: RefObject<EmployeeListHandle | null>
}

export type Editing = ReturnType<typeof useEditing>

/**
 * The form's draft, merged with others' changes, and the actions that change it: type, decide a conflict, submit, cancel,
 * and edit a record or an entry of the outbox.
 */
export function useEditing({ outbox, entries, initialDraft, book, employeeList }: EditingOptions) {
  const { draft: ownDraft, setDraft, replaceDraft } = useDraft(outbox, initialDraft)
  const nameInput = useRef<HTMLInputElement>(null)
  const editedId = ownDraft.editing?.id
  const currentRecord = useMemo(
    () => (editedId === undefined ? undefined : book.find(({ id }) => id === editedId)),
    [book, editedId],
  )
  const merged = mergeDraft(ownDraft, currentRecord && applyPendingUpdates(currentRecord, entries))
  const { draft } = merged
  const [isOpen, setOpen] = useState(false)
  const [focusRequests, setFocusRequests] = useState(0)
  useFormHeight(nameInput, draft.editing !== null)

  // After the render, because only then the form is open, and above the page if it edits a record.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per request
  useLayoutEffect(() => {
    const input = nameInput.current
    if (focusRequests === 0 || !input) return
    input.focus({ preventScroll: true })
    if (!isInViewport(input)) input.scrollIntoView({ block: 'center' })
    const id = draft.editing?.id
    // After the rows have been moved for the form.
    if (id) void afterPaint().then(() => employeeList.current?.scrollToRow(id))
  }, [focusRequests])

  function focusForm() {
    setOpen(true)
    setFocusRequests((count) => count + 1)
  }

  function setFields(fields: EmployeeFields) {
    setDraft(typeIntoDraft(ownDraft, draft, fields))
  }

  function choose(conflict: FieldConflict, choice: 'mine' | 'theirs') {
    setDraft(chooseValue(ownDraft, conflict, choice))
  }

  function submit() {
    void outbox.submit(operationFromDraft(draft))
    setDraft(emptyDraft)
    if (draft.editing) setOpen(false)
    // Do not wait for the autosave: a reload before it would restore a draft that is already being sent.
    void outbox.saveForm(emptyDraft)
    if (draft.editing && employeeList.current?.hasRow(draft.editing.id))
      employeeList.current.showRow(draft.editing.id)
    else focusForm()
  }

  function editEmployee(employee: Employee) {
    replaceDraft(draftFromEmployee(applyPendingUpdates(employee, entries)))
    focusForm()
  }

  function editEntry(id: string) {
    const entryDraft = outbox.takeForEditing(id, ownDraft)
    if (!entryDraft) return
    setDraft(entryDraft)
    focusForm()
  }

  /** Stashes the draft, and focuses the row of the record if it still exists. */
  function cancelEditing() {
    if (!draft.editing) return
    replaceDraft(emptyDraft)
    setOpen(false)
    if (currentRecord) employeeList.current?.showRow(currentRecord.id)
    else focusForm()
  }

  return {
    merged,
    /** The record being edited, as it is in the book. */
    currentRecord,
    wasDeleted: draft.editing !== null && !currentRecord,
    nameInput,
    isOpen,
    closeForm: () => setOpen(false),
    focusForm,
    setFields,
    choose,
    submit,
    editEmployee,
    editEntry,
    cancelEditing,
  }
}

/** Sets `--form-height` while the form edits a record: the height that it covers above the rows. */
function useFormHeight(nameInput: RefObject<HTMLInputElement | null>, isEditing: boolean) {
  useLayoutEffect(() => {
    const form = nameInput.current?.form
    if (!isEditing || !form) return
    return observeHeight(form, '--form-height')
  }, [nameInput, isEditing])
}
