import { type RefObject, useRef } from 'react'
import type { Employee, EmployeeFields } from '../../contract/employees.ts'
import { useDraft } from './form/use-draft.ts'
import { type Draft, draftFromEmployee, emptyDraft } from './outbox/draft.ts'
import { operationFromDraft } from './outbox/operation.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { EmployeeListHandle } from './table/employee-list.tsx'

interface EditingOptions {
  outbox: Outbox
  initialDraft: Draft
  employeeList: RefObject<EmployeeListHandle | null>
}

/** The form's draft, and the actions that change it: type, submit, cancel, and edit a record or an entry of the outbox. */
export function useEditing({ outbox, initialDraft, employeeList }: EditingOptions) {
  const { draft, setDraft, replaceDraft } = useDraft(outbox, initialDraft)
  const nameInput = useRef<HTMLInputElement>(null)

  function focusForm() {
    nameInput.current?.focus()
  }

  function setFields(fields: EmployeeFields) {
    setDraft({ ...draft, fields })
  }

  function submit() {
    void outbox.submit(operationFromDraft(draft))
    setDraft(emptyDraft)
    // Do not wait for the autosave: a reload before it would restore a draft that is already being sent.
    void outbox.saveForm(emptyDraft)
    if (draft.editing && employeeList.current?.hasRow(draft.editing.id))
      employeeList.current.showRow(draft.editing.id)
    else focusForm()
  }

  function editEmployee(employee: Employee) {
    replaceDraft(draftFromEmployee(employee))
    focusForm()
  }

  function editEntry(id: string) {
    const entryDraft = outbox.takeForEditing(id, draft)
    if (!entryDraft) return
    setDraft(entryDraft)
    focusForm()
  }

  /** Stashes the draft, and focuses the row of the record if it still exists. */
  function cancelEditing(currentRecord: Employee | undefined) {
    if (!draft.editing) return
    replaceDraft(emptyDraft)
    if (currentRecord) employeeList.current?.showRow(currentRecord.id)
    else focusForm()
  }

  /** Replaces the draft with the record as somebody else has changed it. */
  function acceptTheirs(theirs: Employee) {
    setDraft(draftFromEmployee(theirs))
    focusForm()
  }

  return {
    draft,
    nameInput,
    focusForm,
    setFields,
    submit,
    editEmployee,
    editEntry,
    cancelEditing,
    acceptTheirs,
  }
}
