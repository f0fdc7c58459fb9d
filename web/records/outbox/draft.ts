import { type Employee, type EmployeeFields, hasSameFields, pickFields } from '../../../contract/employees.ts'

/** What stands in the form. */
export interface Draft {
  fields: EmployeeFields
  /** The record being edited, as it was when the editing began; null while a new one is being typed. */
  editing: Employee | null
  /** Set where this was sent before and may have got through: then it is sent again under the same key. */
  sentAs?: string
}

export const emptyDraft: Draft = { fields: { eName: '', email: '', password: '' }, editing: null }

export function draftFromEmployee(employee: Employee): Draft {
  return { fields: pickFields(employee), editing: employee }
}

/** Whether the draft holds something a person typed, that would be lost with it. */
export function hasUnsavedInput({ fields, editing, sentAs }: Draft): boolean {
  return sentAs !== undefined || !hasSameFields(fields, editing ?? emptyDraft.fields)
}
