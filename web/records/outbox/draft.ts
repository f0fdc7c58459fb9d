import { type Employee, type EmployeeFields, fieldsOf, sameFields } from '../../../contract/employees.ts'

/** What stands in the form. */
export interface Draft {
  fields: EmployeeFields
  /** The record being edited, as it was when the editing began; null while a new one is being typed. */
  editing: Employee | null
  /** Set where this was sent before and may have got through: then it is sent again under the same key. */
  sentAs?: string
}

export const emptyDraft: Draft = { fields: { eName: '', email: '', password: '' }, editing: null }

export function draftOf(employee: Employee): Draft {
  return { fields: fieldsOf(employee), editing: employee }
}

/** Whether the draft holds something a person typed, that would be lost with it. */
export function isWorthKeeping({ fields, editing, sentAs }: Draft): boolean {
  return sentAs !== undefined || !sameFields(fields, editing ?? emptyDraft.fields)
}
