import * as messages from '../messages.ts'
import type { SheetRow } from './parse-sheet.ts'

/** A program whose files are recognised by their header. */
interface Format {
  name: string
  /** Names of columns, in lower case. A row in which all of them are blank is not a login. */
  credentials: readonly string[]
  /** Names of columns that distinguish its header from others, in lower case. */
  others: readonly string[]
  /** Why a row is left out; undefined if it is imported. */
  findSkipReason?(cell: (name: string) => string): string | undefined
}

const itemTypes = new Map([
  ['note', messages.isNote],
  ['securenote', messages.isNote],
  ['card', messages.isCard],
  ['creditcard', messages.isCard],
  ['identity', messages.isIdentity],
  ['sshkey', messages.isSshKey],
])
const skipByType: Format['findSkipReason'] = (cell) =>
  itemTypes.get(cell('type').toLowerCase().replace(/\W/g, ''))

const login = ['username', 'password']

/** The first one whose columns are all in the header is used. */
const formats: readonly Format[] = [
  {
    name: 'Bitwarden',
    credentials: ['login_username', 'login_password'],
    others: ['type'],
    findSkipReason: skipByType,
  },
  { name: 'LastPass', credentials: login, others: ['extra', 'grouping'] },
  {
    name: '1Password',
    credentials: login,
    others: ['title', 'archived'],
    findSkipReason: (cell) => (/^(true|1)$/i.test(cell('archived')) ? messages.isArchived : undefined),
  },
  // 1Password 7 on a Mac, then on Windows, then what 1Password imports.
  { name: '1Password', credentials: login, others: ['title', 'type', 'scope'], findSkipReason: skipByType },
  { name: '1Password', credentials: login, others: ['title', 'autosubmit'] },
  { name: '1Password', credentials: login, others: ['title', 'website'] },
  {
    name: 'KeePassXC',
    credentials: login,
    others: ['title', 'group'],
    findSkipReason: (cell) => (/\/Recycle Bin(\/|$)/.test(cell('group')) ? messages.isRecycled : undefined),
  },
  { name: 'KeePass', credentials: ['login name', 'password'], others: ['account', 'web site'] },
  { name: 'Chrome', credentials: login, others: ['name', 'url'] },
  {
    name: 'Google Workspace',
    credentials: ['email address [required]'],
    others: ['first name [required]', 'last name [required]'],
  },
  {
    name: 'Microsoft Entra',
    credentials: ['user name [userprincipalname] required'],
    others: ['name [displayname] required'],
    findSkipReason: (cell) =>
      /^example:/i.test(cell('name [displayname] required')) ? messages.isExample : undefined,
  },
]

/** Recognises the program that has written a file (null if unknown), and marks the rows that are not logins. */
export function recognizeFormat(rows: SheetRow[]): { program: string | null; rows: SheetRow[] } {
  const [header, ...dataRows] = rows
  const names = header?.cells.map((cell) => cell.trim().toLowerCase()) ?? []
  const format = formats.find(({ credentials, others }) =>
    [...credentials, ...others].every((name) => names.includes(name)),
  )
  if (!header || !format) return { program: null, rows }
  return { program: format.name, rows: [header, ...dataRows.map((row) => applyFormat(row, names, format))] }
}

function applyFormat(row: SheetRow, names: string[], format: Format): SheetRow {
  const { credentials, findSkipReason } = format
  const cell = (name: string) => row.cells[names.indexOf(name)] ?? ''
  const isLogin = credentials.some((name) => cell(name).trim() !== '')
  const skipReason = findSkipReason?.(cell) ?? (isLogin ? undefined : messages.notLogin)
  return skipReason ? { ...row, skipReason } : row
}
