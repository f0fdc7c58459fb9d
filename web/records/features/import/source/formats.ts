import * as messages from '../messages.ts'
import type { SheetRow } from './parse-sheet.ts'

/** Why a row is left out; undefined if it is imported. */
type FindSkipReason = (cell: (name: string) => string) => string | undefined

/** A program whose files are recognised by their header. */
interface Format {
  name: string
  /** Names of columns, in lower case, separated by commas. A row in which all of them are blank is not a login. */
  login?: string
  /** Names of columns that distinguish its header from others, likewise. */
  others: string
  /** The name of its first column, if others have the same columns. */
  first?: string
  findSkipReason?: FindSkipReason
}

const typeReasons = new Map([
  ['note', messages.isNote],
  ['securenote', messages.isNote],
  ['card', messages.isCard],
  ['creditcard', messages.isCard],
  ['paymentcard', messages.isCard],
  ['identity', messages.isIdentity],
  ['sshkey', messages.isSshKey],
  ['alias', messages.isAlias],
  ['folder', messages.isFolder],
])

/** Why an item of this type is left out, in the words of any password manager. */
export const findTypeReason = (type: string) => typeReasons.get(type.toLowerCase().replace(/[\W_]/g, ''))

const skipByType: FindSkipReason = (cell) => findTypeReason(cell('type'))

const skipIf =
  (column: string, pattern: RegExp, reason: string): FindSkipReason =>
  (cell) =>
    pattern.test(cell(column)) ? reason : undefined

const login = 'username,password'

const slackReasons = new Map([
  ['bot', messages.isBot],
  ['deactivated', messages.isDeactivated],
])

/** The first one whose columns are all in the header is used. */
const formats: readonly Format[] = [
  {
    name: 'Bitwarden',
    login: 'login_username,login_password',
    others: 'type',
    findSkipReason: skipByType,
  },
  {
    name: 'LastPass',
    login,
    others: 'extra,grouping',
    findSkipReason: skipIf('url', /^http:\/\/sn$/, messages.isNote),
  },
  {
    name: '1Password',
    login,
    others: 'title,archived',
    findSkipReason: skipIf('archived', /^(true|1)$/i, messages.isArchived),
  },
  // 1Password 7 on a Mac, then on Windows, then what 1Password imports.
  { name: '1Password', login, others: 'title,type,scope', findSkipReason: skipByType },
  { name: '1Password', login, others: 'title,autosubmit' },
  { name: '1Password', login, others: 'title,website' },
  { name: 'Passbolt', login, others: 'title,group,notes', first: 'title' },
  {
    name: 'KeePassXC',
    login,
    others: 'title,group',
    findSkipReason: skipIf('group', /\/Recycle Bin(\/|$)/, messages.isRecycled),
  },
  { name: 'KeePass', login: 'login name,password', others: 'account,web site' },
  { name: 'Dashlane', login, others: 'title,username2' },
  { name: 'NordPass', login, others: 'cardholdername,cardnumber', findSkipReason: skipByType },
  { name: 'RoboForm', login: 'login,pwd', others: 'name,matchurl' },
  { name: 'Proton Pass', login: 'username,password', others: 'type,vault,totp', findSkipReason: skipByType },
  { name: 'Firefox', login, others: 'httprealm,formactionorigin' },
  { name: 'Apple Passwords', login, others: 'title,url,notes,otpauth' },
  { name: 'Safari', login, others: 'title,url' },
  { name: 'Chrome or Edge', login, others: 'name,url' },
  { name: 'Google Workspace', others: 'email address [required],first name [required],last name [required]' },
  {
    name: 'Microsoft Entra',
    others: 'user name [userprincipalname] required,name [displayname] required',
    findSkipReason: skipIf('name [displayname] required', /^example:/i, messages.isExample),
  },
  { name: 'Microsoft Entra', others: 'userprincipalname,displayname' },
  {
    name: 'Slack',
    others: 'email,billing-active,has-2fa,userid',
    findSkipReason: (cell) => slackReasons.get(cell('status').toLowerCase()),
  },
  { name: 'BambooHR', others: 'employee #,work email' },
  { name: 'Personio', others: 'first name,last name,email,hire date,weekly working hours' },
]

/** Recognises the program that has written a file (null if unknown), and marks the rows that are not logins. */
export function recognizeFormat(rows: SheetRow[]): { program: string | null; rows: SheetRow[] } {
  const [header, ...dataRows] = rows
  const names = header?.cells.map((cell) => cell.trim().toLowerCase()) ?? []
  const format = formats.find(
    ({ login = '', others, first }) =>
      `${login},${others}`.split(',').every((name) => name === '' || names.includes(name)) &&
      (!first || names[0] === first),
  )
  if (!header || !format) return { program: null, rows }
  return { program: format.name, rows: [header, ...dataRows.map((row) => applyFormat(row, names, format))] }
}

function applyFormat(row: SheetRow, names: string[], { login, findSkipReason }: Format): SheetRow {
  const cell = (name: string) => row.cells[names.indexOf(name)] ?? ''
  const isLogin = !login || login.split(',').some((name) => cell(name).trim() !== '')
  const skipReason = findSkipReason?.(cell) ?? (isLogin ? undefined : messages.notLogin)
  return skipReason ? { ...row, skipReason } : row
}
