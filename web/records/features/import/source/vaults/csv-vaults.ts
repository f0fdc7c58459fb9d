import { isEmail } from '../../../../../../contract/employees.ts'
import type { SheetRow } from '../parse-sheet.ts'
import { toRow, type VaultItem, vaultHeader } from './vault-items.ts'

type ReadItem = (cells: string[]) => Omit<VaultItem, 'type'>

/**
 * Reads the rows of programs whose CSV files have no header that tells the columns: Keeper, Enpass and Zoho Vault. Returns null
 * for others.
 */
export function readCsvVault(rows: SheetRow[]): { program: string; rows: SheetRow[] } | null {
  const [first, ...others] = rows
  if (!first) return null
  const names = first.cells.map((cell) => cell.trim().toLowerCase())
  const secret = names.indexOf('secretdata')
  const hasHeader = secret !== -1 || names[0] === 'title'
  const dataRows = hasHeader ? others : rows
  const convert = (program: string, readItem: ReadItem) => ({
    program,
    rows: [
      vaultHeader,
      ...dataRows.map(({ number, cells }) => toRow(number, { type: 'login', ...readItem(cells) })),
    ],
  })
  if (secret !== -1 && /^(secret|password) name$/.test(names[0] ?? ''))
    return convert('Zoho Vault', (cells) => readZohoItem(cells[0], cells[secret]))
  const sample = dataRows.slice(0, 100).map(({ cells }) => cells)
  if (!hasHeader && isKeeper(sample))
    return convert('Keeper', ([, name, username, password]) => ({ name, username, password }))
  return isEnpass(sample) ? convert('Enpass', readEnpassItem) : null
}

/** The values of a secret are lines in one cell. */
function readZohoItem(name = '', secret = ''): Omit<VaultItem, 'type'> {
  const findValue = (label: string) => new RegExp(`^${label}:(.*)$`, 'im').exec(secret)?.[1]
  return { name, username: findValue('user ?name'), password: findValue('password') }
}

/** Keeper writes folder, title, login, password, address and notes. */
const isKeeper = (sample: string[][]) =>
  sample.some((cells) => isEmail(cells[2]?.trim() ?? '')) &&
  sample.some((cells) => isAddress(cells[4])) &&
  sample.every((cells) => cells.length >= 6 && (cells[4]?.trim() === '' || isAddress(cells[4])))

const isAddress = (cell = '') => /^https?:\/\//i.test(cell)

/** Enpass writes a title, then labels and values in turns, and a note. It marks labels of secrets with an asterisk. */
function isEnpass(sample: string[][]): boolean {
  const logins = sample.filter((cells) => findEnpassValue(cells, /^\*?password$/i))
  // Of a list with a header such as "Name, Password, Email", the header alone looks like it.
  return logins.length > sample.filter(({ length }) => length > 2).length / 2
}

const readEnpassItem: ReadItem = (cells) => ({
  name: cells[0],
  username: findEnpassValue(cells, /^e-?mail$/i) ?? findEnpassValue(cells, /^user ?name$/i),
  password: findEnpassValue(cells, /^\*?password$/i),
})

/** The first value that is not blank of a label. */
const findEnpassValue = (cells: string[], label: RegExp) =>
  cells.find(
    (cell, i) => i > 1 && i % 2 === 0 && cell.trim() !== '' && label.test(cells[i - 1]?.trim() ?? ''),
  )
