/** The messages of the keyboard shortcuts. */

export const anywhere = 'Anywhere'
export const search = 'Search'
export const newRecord = 'New record'
export const leave = 'Clear search, stop editing'
export const undo = 'Undo the last change'
export const showShortcuts = 'Show shortcuts'

export const onRow = 'On a row'
export const toFirstRow = 'Search to first row'
export const toNextRow = 'Previous / next row'
export const toRowButtons = 'Buttons of the row'
export const toLastRow = 'First / last row'
export const edit = 'Edit'
export const show = 'Show the password'
export const copy = (noun: string) => `Copy the ${noun}`
export const handOver = 'Hand over'
export const remove = 'Delete'

export const inRun = 'While changing passwords'
export const saveAndNext = 'Save, copy, next record'

export const letterShortcuts = 'Single-letter shortcuts'
