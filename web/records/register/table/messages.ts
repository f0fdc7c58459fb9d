export const title = 'Employee Records'
export const number = '#'
export const actions = 'Action'

export const keys = 'Up and down arrows move between rows, left and right arrows within a row.'

export const unsaved = 'Not saved'
export const select = (name: string) => `Select ${name}`
export const edit = (name: string) => `Edit ${name}`
export const handOver = (name: string) => `Hand over ${name}`
export const remove = (name: string) => `Delete ${name}`

/** Where a press was ignored, because another record had just come to the place of the mouse. */
export const justMoved = 'The list has just moved. Press again.'

/** Follows the name of a record. */
export const copied = 'copied.'
export const copyFailed = (noun: string, isSecret = false) =>
  `Your browser blocked copying. ${isSecret ? 'Show' : 'Select'} the ${noun} and copy it by hand.`

export const selected = (count: string) => `${count} selected`
export const notShown = (count: string) => `${count} not shown`
export const selectedRecords = 'Selected records'
export const changePasswords = 'Change passwords'
export const handOverSelected = 'Hand over'
export const exportSelected = 'Export'
export const copySelected = 'Copy'
export const deleteSelected = 'Delete'
export const clearSelection = 'Clear selection'

export const empty = 'No employees yet'
export const emptyHint = 'Add the first one above, or import a spreadsheet.'
export const addFirst = 'Add the first record'
export const importSheet = 'Import a spreadsheet'

export const noResults = 'No results'
export const noIssues = (issue: string) => `No ${issue} passwords`
/** Precedes the quoted search. */
export const noResultsFor = 'for'
export const searchHint = 'Search looks at names and emails.'
