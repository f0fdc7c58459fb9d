/** The messages of the export. */

export const title = 'Export'
export const records = 'Records'
export const allRecords = (count: number) => `All records (${count.toLocaleString()})`
export const shownRecords = (count: number) => `Shown in the table (${count.toLocaleString()})`
export const format = 'Format'
export const programs = {
  spreadsheet: 'Spreadsheet',
  bitwarden: 'Bitwarden',
  '1password': '1Password',
} as const
export const includePasswords = 'Include passwords'
export const withoutPasswords = 'The file opens in any spreadsheet, and can be imported again.'
export const withPasswords = 'Anyone with this file can read every password. Delete it when you’re done.'
export const exactPasswords = (program: string) =>
  `${program} needs the exact passwords. Don’t open this file in a spreadsheet: it could run some as formulas.`
export const exportRecords = (records: string) => `Export ${records}`
export const exported = (records: string) => `Exported ${records}.`

export const copyList = 'Copy the list'
export const copied = 'Copied. Paste it within a minute; then it leaves the clipboard.'
export const copyFailed = 'Your browser blocked copying. Export the records instead.'
