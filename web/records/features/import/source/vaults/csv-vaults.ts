import { isEmail } from '../../../../../../contract/employees.ts'
import { isEmailHeader, isSecretHeader } from '../detect-columns.ts'
import type { SheetRow } from '../sheet.ts'
import { type ProgramSheet, toSheet, type VaultItem } from './vault-items.ts'

type ReadItem = (cells: string[]) => Pick<VaultItem, 'name' | 'username' | 'password'>

/** Reads CSV files whose header does not tell the columns: of Keeper, Enpass, Password Safe and Zoho Vault. Returns null for others. */
export function readCsvVault(rows: SheetRow[]): ProgramSheet | null {
  const names = rows[0]?.cells.map((cell) => cell.trim().toLowerCase()) ?? []
  const secret = names.indexOf('secretdata')
  const isZoho = secret !== -1 && /^(secret|password) name$/.test(names[0] ?? '')
  const isPasswordSafe = names[0] === 'group/title' && names.includes('password')
  // Enpass writes the words for a label and a value above each, in the language of its user.
  const isOfPairs = names.length > 4 && names[1] !== '' && names[1] === names[3] && names[2] === names[4]
  const hasHeader = isZoho || isPasswordSafe || names[0] === 'title' || isOfPairs
  const dataRows = hasHeader ? rows.slice(1) : rows
  const convert = (program: string, readItem: ReadItem) =>
    toSheet(
      program,
      dataRows.map(({ number, cells }) => ({ number, type: 'login', ...readItem(cells) })),
    )
  if (isZoho) {
    const sheet = convert('Zoho Vault', (cells) => readZohoItem(cells[0], cells[secret]))
    return { ...sheet, hasLinesOfSecrets: dataRows.some(({ cells }) => mayGoOn(cells[secret])) }
  }
  if (isPasswordSafe) {
    const [username, password, email] = ['username', 'password', 'e-mail'].map((name) => names.indexOf(name))
    return convert('Password Safe', (cells) => ({
      name: readTitle(cells[0]),
      username: cells[email ?? -1]?.trim() || cells[username ?? -1],
      password: cells[password ?? -1],
    }))
  }
  const sample = dataRows.slice(0, 100).map(({ cells }) => cells)
  if (!hasHeader && isKeeper(sample))
    return convert('Keeper', ([, name, username, password]) => ({ name, username, password }))
  return isEnpass(sample) ? convert('Enpass', readEnpassItem) : null
}

/** The values of a secret are in one cell, each below the one before it; one may have several lines. */
function readZohoItem(name = '', secret = '') {
  const find = (label: string) =>
    new RegExp(`^${label}:(.*(?:\\r?\\n(?!${zohoLabel}).*)*)`, 'imu').exec(secret)?.[1]?.replace(/\r?\n$/, '')
  return { name, username: find('user ?name'), password: find('password') }
}

/** Password Safe writes the groups before a title, and another sign for a full stop in it. */
const readTitle = (path = '') => path.slice(path.lastIndexOf('.') + 1).replaceAll('»', '.')

const zohoLabel = '[\\p{L} ]{2,40}:'

/** Whether a line below a password is of it, or has a label that is not known and may be of it. */
function mayGoOn(secret = ''): boolean {
  const [, next = ''] = /^password:.*\r?\n(.*)/im.exec(secret) ?? []
  return next !== '' && !/^(secrettype|user ?name):/i.test(next)
}

/** Keeper writes folder, title, login, password, address and notes. */
function isKeeper(sample: string[][]): boolean {
  const isAddress = (cell = '') => /^https?:\/\//i.test(cell)
  return (
    sample.some((cells) => isEmail(cells[2]?.trim() ?? '')) &&
    sample.some((cells) => isAddress(cells[4])) &&
    sample.every((cells) => cells.length >= 6 && (cells[4]?.trim() === '' || isAddress(cells[4])))
  )
}

/**
 * Enpass writes a title, then labels and values in turns, and a note. It marks labels of secrets with an asterisk; all are in the
 * language of its user.
 */
const readEnpassItem: ReadItem = (cells) => {
  const find = (isLabel: (label: string) => boolean) =>
    cells.find((cell, i) => i > 1 && i % 2 === 0 && cell.trim() && isLabel(cells[i - 1] ?? ''))
  const username = find(isEmailHeader) ?? find(isUserLabel) ?? cells.find(isEmail)
  return { name: cells[0], username, password: find(isSecretLabel) }
}

const isUserLabel = (label: string) => /^user ?name$/i.test(label)
const isSecretLabel = (label: string) => isSecretHeader(label.replace(/^\*/, ''))

/**
 * Whether most rows are of Enpass: beside the label of the password, one is known or stands in other rows too. A header "Name, Password,
 * Email", and a row of such a list with the password "password", have none.
 */
function isEnpass(sample: string[][]): boolean {
  const listLabels = (cells: string[]) => [
    ...new Set(cells.filter((cell, i) => i % 2 === 1 && cell.trim() && !isSecretLabel(cell))),
  ]
  const byLabel = Map.groupBy(sample.flatMap(listLabels), (label) => label)
  const isLabel = (text: string) =>
    isEmailHeader(text) || isUserLabel(text) || (byLabel.get(text)?.length ?? 0) > 1
  const isItem = (cells: string[]) => {
    const labels = listLabels(cells)
    return readEnpassItem(cells).password !== undefined && (labels.length === 0 || labels.some(isLabel))
  }
  return sample.filter(isItem).length > sample.filter(({ length }) => length > 2).length / 2
}
