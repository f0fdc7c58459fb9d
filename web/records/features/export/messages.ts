export const title = 'Export'
export const records = 'Records'
export const allRecords = (count: number) => `All records (${count.toLocaleString()})`
export const shownRecords = (count: number) => `Shown in the table (${count.toLocaleString()})`
export const format = 'Format'
export const programs = {
  workbook: 'Excel workbook',
  spreadsheet: 'CSV',
  bitwarden: 'Bitwarden',
  '1password': '1Password',
  emergency: 'Emergency file',
} as const
export const includePasswords = 'Include passwords'
const withoutPasswords = 'The file opens in any spreadsheet, and can be imported again.'
const withPasswords = 'Anyone with this file can read every password. Delete it when you’re done.'
const exactPasswords = (program: string) =>
  `${program} needs the exact passwords. Don’t open this file in a spreadsheet: it could run some as formulas.`
const forTheSafe =
  'All records in one encrypted page for the safe. It opens in any browser, without a network, with a code that you see next.'

/** What the file of a format is, and what is dangerous about it. */
export function describe(program: keyof typeof programs, isWithPasswords: boolean): string[] {
  if (program === 'emergency') return [forTheSafe]
  if (program === 'workbook' || program === 'spreadsheet')
    return [isWithPasswords ? withPasswords : withoutPasswords]
  return [withPasswords, exactPasswords(programs[program])]
}

export const showCode = 'Show the code'
export const exportRecords = (records: string) => `Export ${records}`
export const exported = (records: string) => `Exported ${records}.`

export const emergency = programs.emergency
export const codeOpens = (count: number) =>
  `This code opens the file with ${count === 1 ? 'the record' : `all ${count.toLocaleString()} records`}:`
export const codeHint =
  'You won’t see it again. Print it, and keep it apart from the file. Without it nobody can open the file.'
export const copyCode = 'Copy code'
export const codeCopied = 'Code copied. Paste it within a minute; then it leaves the clipboard.'
export const codeNotCopied = 'Your browser blocked copying. Print the code instead.'
export const printCode = 'Print code'
export const downloadFile = 'Download file'
export const downloaded = (fileName: string) => `Downloaded as ${fileName}.`
export const sheetTitle = (fileName: string) => `Code of ${fileName}`
export const sheetHint =
  'Staffbook. Open the file in a browser and type the code. Case and dashes don’t matter. Keep this paper apart from the file.'
