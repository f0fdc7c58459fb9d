import type { FieldName } from '../../../../contract/employees.ts'
import { fieldViews } from '../../model/fields.ts'

export const title = 'Employee Data Form'
export const submit = 'Submit'
export const update = 'Update'
export const handOver = 'Hand over'
export const cancel = 'Cancel'
/** Precedes the name of a record. */
export const editing = 'Editing'
/** Visible messages, with a name that also makes sense alone. */
export const add = { text: 'Add', label: 'Add a record' } as const
export const close = { text: 'Close', label: 'Close the form' } as const

/** Precedes the name of a record. */
export const duplicate = 'Already in the register:'

const listFields = (names: readonly FieldName[]) => names.map((name) => fieldViews[name].noun).join(' and ')

export const wasDeleted = 'This record was deleted while you were editing. Your text is still here.'
export const conflict = (names: readonly FieldName[]) =>
  `Someone else changed the ${listFields(names)} meanwhile. Choose which to keep.`
export const alsoUpdated = (names: readonly FieldName[]) =>
  `Their new ${listFields(names)} ${names.length === 1 ? 'is' : 'are'} already here.`
export const wasUpdated = (names: readonly FieldName[]) =>
  `Someone else changed the ${listFields(names)}. The form is up to date.`

export const generate = 'Generate password'
