/** The words of the table. */

export const title = 'Employee Records'
export const columns = {
  number: '#',
  eName: 'Employee Name',
  email: 'Email',
  password: 'Password',
  action: 'Action',
} as const

/** The description of the table. */
export const keys = 'Up and down arrows move between rows, left and right arrows within a row.'

export const unsaved = 'Not saved'
export const edit = (name: string) => `Edit ${name}`
export const remove = (name: string) => `Delete ${name}`
export const passwordOf = (name: string) => `Password of ${name}`
export const showPassword = (name: string) => `Show password of ${name}`
export const copyPassword = (name: string) => `Copy password of ${name}`
export const copyEmail = (name: string) => `Copy email of ${name}`

/** Around the name of a record. */
export const copied = { email: ['Email of', 'copied.'], password: ['Password of', 'copied.'] } as const
export const copyFailed = {
  email: 'Your browser blocked copying. Select the email and copy it by hand.',
  password: 'Your browser blocked copying. Show the password and copy it by hand.',
} as const

export const loading = 'Loading…'
export const loaded = ' loaded'
export const allLoaded = 'All records loaded.'

export const empty = 'No employees yet'
export const emptyHint = 'Add the first one above, or import a spreadsheet.'
export const addFirst = 'Add the first record'
export const importSheet = 'Import a spreadsheet'

export const noResults = 'No results'
export const nothingExposed = 'No passwords to change'
export const noIssues = (issue: string) => `No ${issue} passwords`
/** Precedes the quoted search. */
export const noResultsFor = 'for'
export const searchHint = 'Search looks at names and emails.'
export const showAll = 'Show all records'
