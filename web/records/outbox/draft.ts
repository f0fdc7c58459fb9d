import {
  type Employee,
  type EmployeeFields,
  emptyFields,
  hasSameFields,
  pickFields,
} from '../../../contract/employees.ts'

/** The content of the form. */
export interface Draft {
  fields: EmployeeFields
  /** The record being edited, as the user has seen it; null for a new record. */
  editing: Employee | null
  /** What the user had typed in fields whose conflict is decided. */
  typed?: Partial<EmployeeFields>
  /** The idempotency key of an earlier attempt that may have succeeded. The next attempt must use the same key. */
  sentAs?: string
  /** The run that the draft is part of, or that has ended and is still shown. */
  run?: Run
}

/** Records whose passwords are replaced one after the other. */
export interface Run {
  /** As they were at the start, in the order of the table. */
  records: readonly Employee[]
  /** The index of the record in the form, or of the first one while the form is still empty; after the end the number of records. */
  position: number
  /** The password that the form has suggested for this record. */
  suggested: string
  /** The updates that the run has submitted. */
  changes: readonly { before: Employee; employee: Employee }[]
}

export const isRunning = ({ run }: Draft) => run !== undefined && run.position < run.records.length

export const emptyDraft: Draft = { fields: emptyFields, editing: null }

export function draftFromEmployee(employee: Employee): Draft {
  return { fields: pickFields(employee), editing: employee }
}

/** Whether the draft has input that would be lost with it. */
export function hasUnsavedInput({ fields, editing, sentAs }: Draft): boolean {
  return sentAs !== undefined || !hasSameFields(fields, editing ?? emptyFields)
}
