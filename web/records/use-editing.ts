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

/** What a person does with the form: type, submit, cancel, and edit a record or an entry of the outbox. */
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
    // Without the autosave delay: a reload within it would restore what is being sent already.
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

  /** Stashes what was typed, and returns to the row of the record if that still exists. */
  function cancelEditing(currentRecord: Employee | undefined) {
    if (!draft.editing) return
    replaceDraft(emptyDraft)
    if (currentRecord) employeeList.current?.showRow(currentRecord.id)
    else focusForm()
  }

  /** Replaces what was typed by the record as somebody else has changed it. */
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
