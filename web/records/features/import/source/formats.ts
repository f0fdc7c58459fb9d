import { type Message, msg } from '../../../../language/translate.ts'
import type { SheetRow } from './sheet.ts'

/** Why a row is left out; undefined if it is imported. */
type FindSkipReason = (cell: (column: string) => string) => Message | undefined

/**
 * A program whose files are recognised by their header: by the columns of a login, of which a row without any is left out, and by
 * others. Columns are in lower case, separated by commas. One with a colon has to be the first.
 */
type Format = [program: string, login: string, others: string, findSkipReason?: FindSkipReason]

const typeReasons = new Map([
  ['note', msg('A note, not a login.')],
  ['securenote', msg('A note, not a login.')],
  ['card', msg('A card, not a login.')],
  ['creditcard', msg('A card, not a login.')],
  ['paymentcard', msg('A card, not a login.')],
  ['identity', msg('An identity, not a login.')],
  ['sshkey', msg('An SSH key, not a login.')],
  ['alias', msg('An email alias, not a login.')],
  ['folder', msg('A folder, not a login.')],
])

/** Why an item of this type is left out, in the words of any password manager. */
export const findTypeReason = (type: string) => typeReasons.get(type.toLowerCase().replace(/[\W_]/g, ''))

const skipByType: FindSkipReason = (cell) => findTypeReason(cell('type'))
const skipIf =
  (column: string, pattern: RegExp, reason: Message): FindSkipReason =>
  (cell) =>
    pattern.test(cell(column)) ? reason : undefined
const skipExample = skipIf('name [displayname] required', /^example:/i, msg('An example of the template.'))
const slackReasons = new Map([
  ['Bot', msg('A bot, not a person.')],
  ['Deactivated', msg('Deactivated in Slack.')],
])
const skipSlack: FindSkipReason = (cell) => slackReasons.get(cell('status'))

const login = 'username,password'

/** All columns of programs whose columns others write too, among more. */
const allColumns = new Map([
  ['Safari', 'title,url,username,password,notes,otpauth'],
  ['Chrome or Edge', 'name,url,username,password,note'],
])

/** The first one whose columns are all in the header is used. */
const formats: readonly Format[] = [
  ['Bitwarden', 'login_username,login_password', 'type', skipByType],
  ['LastPass', login, 'extra,grouping', skipIf('url', /^http:\/\/sn$/, msg('A note, not a login.'))],
  ['1Password', login, 'title,archived', skipIf('archived', /^(true|1)$/i, msg('Archived.'))],
  // 1Password 7 on a Mac, then on Windows, then what 1Password imports.
  ['1Password', login, 'title,type,scope', skipByType],
  ['1Password', login, 'title,autosubmit'],
  ['1Password', login, 'title,type,tags'],
  ['1Password', login, 'title,website'],
  ['Passbolt', login, 'title:,group,notes'],
  ['KeePassXC', login, 'title,group', skipIf('group', /\/Recycle Bin(\/|$)/, msg('In the recycle bin.'))],
  ['KeePass', 'login name,password', 'account,web site'],
  ['Buttercup', login, 'title,!group_id', skipIf('!group_name', /^trash$/i, msg('In the recycle bin.'))],
  ['Dashlane', login, 'title,username2'],
  ['NordPass', login, 'cardholdername,cardnumber', skipByType],
  ['RoboForm', 'login,pwd', 'name,matchurl'],
  ['Proton Pass', login, 'type,vault,totp', skipByType],
  ['Firefox', login, 'httprealm,formactionorigin'],
  ['Apple Passwords', login, 'title,url,notes,otpauth'],
  ['Safari', login, 'title,url'],
  ['Chrome or Edge', login, 'name,url'],
  ['Google Workspace', '', 'email address [required],first name [required],last name [required]'],
  ['Microsoft Entra', '', 'user name [userprincipalname] required,name [displayname] required', skipExample],
  ['Microsoft Entra', '', 'userprincipalname,displayname'],
  ['Slack', '', 'email,billing-active,has-2fa,userid', skipSlack],
  ['BambooHR', '', 'employee #,work email'],
  ['Personio', '', 'first name,last name,email,hire date,weekly working hours'],
]

/** 1Password 7 on a Mac writes the name of each column behind its translation: `titre(title)`. */
function removeTranslations(cells: string[]): string[] {
  const names = cells.map((cell) => /^[^()]{1,60}\(([\w ]{2,40})\)$/.exec(cell.trim())?.[1])
  const isTranslated = !names.includes(undefined) && names.includes('title') && names.includes('password')
  return isTranslated ? names.map((name) => name ?? '') : cells
}

/** Recognises the program that has written a file (null if unknown), and marks the rows that are not logins. */
export function recognizeFormat(rows: SheetRow[]): { program: string | null; rows: SheetRow[] } {
  const [first, ...dataRows] = rows
  const header = first && { ...first, cells: removeTranslations(first.cells) }
  const names = header?.cells.map((cell) => cell.trim().toLowerCase()) ?? []
  const columns = new Set([...names, `${names[0]}:`])
  const isOf = ([program, login, others]: Format) => {
    const all = allColumns.get(program)?.split(',')
    return (
      `${login},${others}`.split(',').every((column) => column === '' || columns.has(column)) &&
      names.every((name) => name === '' || (all?.includes(name) ?? true))
    )
  }
  const format = formats.find(isOf)
  if (!header || !format) return { program: null, rows: header ? [header, ...dataRows] : rows }
  const [program, login, , findSkipReason] = format
  const mark = (row: SheetRow): SheetRow => {
    const cell = (column: string) => row.cells[names.indexOf(column)] ?? ''
    const isLogin = login === '' || login.split(',').some((column) => cell(column).trim() !== '')
    const skipReason = findSkipReason?.(cell) ?? (isLogin ? undefined : msg('Not a login.'))
    return skipReason ? { ...row, skipReason } : row
  }
  return { program, rows: [header, ...dataRows.map(mark)] }
}
