import type { FieldName } from '../../../contract/employees.ts'
import { fieldViews } from '../fields.tsx'

/** The messages of the form. */

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

export const wasDeleted = 'Someone deleted this record while you were editing. Your text is still here.'
export const conflict = (names: readonly FieldName[]) =>
  `Someone else changed the ${listFields(names)} meanwhile. Choose which to keep.`
export const alsoUpdated = (names: readonly FieldName[]) =>
  `Their new ${listFields(names)} ${names.length === 1 ? 'is' : 'are'} already here.`
export const wasUpdated = (names: readonly FieldName[]) =>
  `Someone else changed the ${listFields(names)}. The form is up to date.`
export const choices = {
  mine: { text: 'Yours', label: (noun: string) => `Your ${noun}` },
  theirs: { text: 'Theirs', label: (noun: string) => `Their ${noun}` },
} as const
export const undecided = 'Choose yours or theirs.'
export const showBoth = (noun: string) => `Show both ${noun}s`

export const generate = 'Generate password'
export const generator = 'Password generator'
export const suggestion = 'Suggested password'
export const generateAnother = 'Generate another password'
export const length = 'Length'
export const characters = 'Characters'
export const characterSets = {
  symbols: 'Letters, numbers and symbols',
  letters: 'Letters and numbers',
  numbers: 'Numbers only',
} as const
export const useSuggestion = 'Use this password'

export const strength = { 'very weak': 'Very weak', weak: 'Weak', fair: 'Fair', strong: 'Strong' } as const
export const weaknesses = {
  userInput: 'contains part of the name or email',
  commonPassword: 'is among the most used',
  commonWord: 'contains a very common word',
  run: 'contains a keyboard or alphabet sequence',
  year: 'contains a year',
  repeat: 'repeats itself',
} as const

export const previousPasswords = 'Previous passwords'
/** Within a sentence. */
export const previousPassword = (until: string, by: string) => `previous password, until ${until} by ${by}`
export const olderPasswords = (count: number) => `${count} older`
export const copyPrevious = 'Copy'
export const usePrevious = {
  text: 'Use again',
  label: (password: string) => `Use again: ${password}`,
} as const
export const previousCopied = 'Previous password copied.'
export const previousNotCopied = 'Your browser refused to copy. Show the password instead.'
export const previousInForm = 'The previous password is in the form. Press Update to save it.'
