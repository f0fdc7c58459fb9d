import { type FieldName, fieldNames, fieldRules } from '../../../../contract/employees.ts'
import { isolate } from '../../../lib/isolate.ts'
import { capitalize, fieldViews, titleField } from '../../model/fields.ts'

export const title = 'Import'
export const doneTitle = 'Imported'
export const steps = {
  choosing: 'Where the rows come from',
  reading: 'Reading',
  locked: 'Password',
  previewing: 'What would be imported',
  sending: 'Importing',
  failed: 'Not imported',
  done: 'Imported',
} as const
export const back = 'Back'
export const cancel = 'Cancel'
export const reading = 'Reading…'

export const dropFile = 'Drop a workbook, a CSV file or an export here, or'
export const chooseFile = 'Choose a file'
export const pasteRows = 'Or paste rows from a spreadsheet'
export const pasteExample = fieldNames.map((name) => fieldRules[name].label).join('\t')
export const readRows = 'Read these rows'
export const programsHint =
  'Works with exports from 1Password (CSV or 1PUX), Apple Passwords, BambooHR, Bitwarden (CSV or JSON), Chrome, Dashlane, Edge, Enpass (CSV), Firefox, Google Workspace, KeePass (CSV or XML), KeePassXC, Keeper, LastPass, Microsoft Entra, NordPass, Passbolt, Personio, Proton Pass, Psono (JSON), RoboForm, Safari, Slack and Zoho Vault.'
export const matchHint =
  'Rows are matched to records by email. You see what will happen before anything is saved.'

export const pastedRows = 'Pasted rows'
export const parserMissing = 'This part of the page didn’t load. Check your connection.'
export const notLoaded = 'You can import as soon as all records are loaded.'
export const noRowsInText = 'There are no rows in this text.'
export const fileEmpty = 'The file is empty.'
export const fileTooBig = 'This file is too big. Split it into several.'
export const fileUnreadable = 'This file can’t be read.'
export const workbookBroken = 'This workbook is damaged or incomplete. Save it again, or export it as CSV.'
export const workbookLocked =
  'This workbook is locked with a password. Remove the password and import it again.'
export const workbookOld = 'This is an old Excel file. Save it as .xlsx and import that.'
export const workbookTooBig = 'This workbook is too big. Save only the sheet with the list.'
export const noWorkbook =
  'This is neither a workbook (.xlsx, .ods) nor a 1PUX file. Save the sheet as CSV and import that.'
export const workbookEmpty = 'The workbook is empty.'
export const isEncrypted =
  'Only your Bitwarden account can open this file. Export it again, protected with a password or as .csv.'
export const isOtherJson =
  'This JSON file is of no program that is known here. Export it as CSV and import that.'
export const isKeePassDatabase = 'This is a KeePass database. Export it as XML or CSV and import that.'
export const brokenXml = 'This XML file is damaged or incomplete. Export it again.'
export const wrongFilePassword = 'This password doesn’t open the file.'
export const filePassword = 'Password of the file'
export const isProtected = (name: string) => `${isolate(name)} is protected with a password of its own.`
export const openFile = 'Open'

export const rows = (count: number, program: string | null) => {
  const text = count === 1 ? '1 row' : `${count.toLocaleString()} rows`
  return program ? `· ${text} from ${program}` : `· ${text}`
}
export const encoding = 'Encoding'
export const checkNames = 'Do these names look right?'
export const sheet = 'Sheet'
export const hiddenRows = (count: number) =>
  count === 1
    ? '1 row is hidden in the workbook. It is listed here too.'
    : `${count.toLocaleString()} rows are hidden in the workbook. They are listed here too.`
export const passwordsGuessed = (column: string) => `Are the passwords in ${isolate(column)}?`
export const unclosedQuote = 'A quotation mark is never closed, so everything after it is read as one row.'
export const tooManyRows = (max: number) =>
  `That’s more than ${max.toLocaleString()} rows. Import them in parts.`
export const emailColumnMissing = 'Choose the column with the emails.'
export const nothingToImport = 'Nothing to import'
export const importRecords = (records: string) => `Import ${records}`
export const cancelled = 'Import cancelled; nothing was changed.'

export const columns = 'Columns'
export const lastName = 'Last name'
export const columnLabel = (name: FieldName) => capitalize(fieldViews[name].noun)
export const noColumn = 'Not in this file'
export const noLastName = 'In the name'
export const column = (letters: string) => `Column ${letters}`
export const hasHeader = 'The first row is a header'
export const removeApostrophe = (count: number) => {
  const cells = count === 1 ? '1 cell' : `${count.toLocaleString()} cells`
  return `Remove the apostrophes that guard against formulas (${cells})`
}

export const generateMissing = (count: number) =>
  count === 1
    ? '1 row has no password. Generate one.'
    : `${count.toLocaleString()} rows have no password. Generate one for each.`
export const willBeGenerated = 'password will be generated'

export const rowsToList = 'Rows to list'
export const rowList = 'Rows'
export const allRows = 'All'
export const outcomes = {
  new: 'New',
  changed: 'Changed',
  unchanged: 'Unchanged',
  invalid: 'Can’t import',
  skipped: 'Skipped',
} as const
export const noRows = 'None.'
export const row = (number: number) => `Row ${number}`
/** Describes a change of a field, without its content if it is secret. */
export const changedField = (name: FieldName, previous: string) => {
  const { noun } = fieldViews[name]
  if (fieldRules[name].isSecret) return `new ${noun}`
  return name === titleField ? `was ${isolate(previous)}` : `${noun} was ${isolate(previous)}`
}
export const missing = (name: FieldName) => `The ${fieldViews[name].noun} is missing.`
export const tooLong = (name: FieldName) => `The ${fieldViews[name].noun} is too long.`
export const invalidText = (name: FieldName) => `The ${fieldViews[name].noun} contains invalid characters.`
export const invalidEmail = 'This is not an email address.'
export const sameEmail = (rowNumber: number | undefined) =>
  `Row ${rowNumber} has the same email but different data.`
export const ambiguous = (count: number) =>
  `${count} records have this email. It isn’t clear which one is meant.`

export const notLogin = 'Not a login.'
export const isNote = 'A note, not a login.'
export const isCard = 'A card, not a login.'
export const isIdentity = 'An identity, not a login.'
export const isSshKey = 'An SSH key, not a login.'
export const isAlias = 'An email alias, not a login.'
export const isFolder = 'A folder, not a login.'
export const isBot = 'A bot, not a person.'
export const isDeactivated = 'Deactivated in Slack.'
export const isExample = 'An example of the template.'
export const isArchived = 'Archived.'
export const isRecycled = 'In the recycle bin.'

export const sending = 'Sending…'
export const saving = 'Saving…'
export const allOrNothing = 'Either every row is saved or none.'
export const failed = (reason: string) => `Not imported. ${reason}`
export const canClose = 'You can close this; the import stays above the table.'
export const andSkipped = (count: number) => (count > 0 ? `, ${count.toLocaleString()} skipped` : '')
export const generated = (count: number) =>
  `${count === 1 ? '1 password was' : `${count.toLocaleString()} passwords were`} generated. To hand ${count === 1 ? 'it' : 'them'} over, copy the list now; later, show each in the table.`
export const undoImport = 'Undo import'
export const done = 'Done'
