import {
  type FieldName,
  fieldNames,
  fieldRules,
  isEmail,
  mapFields,
  parseEmail,
} from '../../../../../contract/employees.ts'
import { fieldViews, titleField } from '../../../model/fields.ts'
import type { SheetRow } from './parse-sheet.ts'

/** The 0-based column of each field, and of the last name if it has its own; null if no column contains it. */
export type ColumnIndices = Record<FieldName | 'lastName', number | null>

export interface SheetLayout {
  hasHeader: boolean
  columns: ColumnIndices
}

/** Headers of columns that contain a field only if no other does, or a part of one, as `FieldView.headers`. */
const otherHeaders = {
  /** The whole name, or a half of it if the other half has a column too. */
  name: 'name nom nombre nome naam namn navn имя 名前',
  /** The half that comes first in the joined name. */
  firstName: 'firstname givenname forename vorname prenom voornaam fornamn fornavn imie 姓',
  lastName:
    'lastname surname familyname nachname familienname nomdefamille apellido apellidos cognome sobrenome achternaam efternamn efternavn etternavn nazwisko фамилия 名',
  /** The title of an entry, or of a person. */
  title: 'title account',
  username: 'username loginusername loginname login user userid userprincipalname benutzername',
}
type HeaderKind = FieldName | keyof typeof otherHeaders

const maxHeaderLength = 100

/** Headers of a column with the whole name, the last name first. */
const reversedNames =
  'lastnamefirstname surnamefirstname lastfirst surnameforename familynamegivenname nachnamevorname namevorname nomprenom apellidosnombre cognomenome achternaamvoornaam'.split(
    ' ',
  )

const kindByHeader = new Map<string, HeaderKind>()
for (const name of fieldNames) {
  const { label } = fieldRules[name]
  const { headers } = fieldViews[name]
  for (const header of [name, label, ...headers.split(' ')]) kindByHeader.set(normalizeHeader(header), name)
}
for (const header of reversedNames) kindByHeader.set(header, titleField)
for (const [kind, headers] of Object.entries(otherHeaders) as [HeaderKind, string][]) {
  for (const header of headers.split(' ')) kindByHeader.set(normalizeHeader(header), kind)
}

/** Detects the columns by the header, or by their content if there is no header. */
export function detectColumns(rows: SheetRow[]): SheetLayout {
  const header = rows[0]?.cells ?? []
  const filled = findFilledColumns(rows.slice(1))
  const sample = rows.slice(0, 100)
  const emailCounts = countEmails(sample)
  const columns = detectByContent(sample, emailCounts)
  if (header.some((cell) => isEmail(parseEmail(cell).email))) return { hasHeader: false, columns }
  const named = nameColumns(header, filled)
  if (Object.keys(named).length > 0)
    return { hasHeader: true, columns: detectByHeader(named, emailCounts, filled) }
  // A text above emails is the title of their column, in whatever language. Titles have no digits, passwords often do.
  const title = columns.email === null ? '' : (header[columns.email]?.trim() ?? '')
  return { hasHeader: title !== '' && !/[@\d]/.test(header.join('')), columns }
}

type NamedColumns = Partial<Record<HeaderKind, number>>

/** The first column of each kind, if possible one that is not empty in every row. */
function nameColumns(header: string[], filled?: ReadonlySet<number>): NamedColumns {
  const named: NamedColumns = {}
  const indices = [...header.keys()].sort((a, b) => Number(filled?.has(b) ?? 0) - Number(filled?.has(a) ?? 0))
  for (const index of indices) {
    const kind = kindByHeader.get(normalizeHeader(header[index] ?? ''))
    if (kind) named[kind] ??= index
  }
  return named
}

function findFilledColumns(rows: SheetRow[]): ReadonlySet<number> {
  const filled = new Set<number>()
  for (const { cells } of rows)
    for (const [index, cell] of cells.entries()) if (cell.trim()) filled.add(index)
  return filled
}

/** The header is looked for in so many rows that are not empty. */
const maxHeaderPosition = 20

/**
 * Removes the rows above the list, such as a title, a version or comments: those above the row that names the most columns, or
 * else those with a single cell above emails in a wider list.
 */
export function skipPreamble(rows: SheetRow[]): SheetRow[] {
  const top = rows.slice(0, maxHeaderPosition)
  const emailPosition = top.findIndex(({ cells }) => cells.some((cell) => isEmail(parseEmail(cell).email)))
  const above = emailPosition === -1 ? top : top.slice(0, emailPosition)
  const scores = above.map(({ cells }) => Object.keys(nameColumns(cells)).length)
  const best = Math.max(0, ...scores)
  if (best >= 2) return rows.slice(scores.indexOf(best))
  const isNarrow = ({ cells }: SheetRow) => cells.filter((cell) => cell.trim() !== '').length <= 1
  const first = rows[emailPosition]
  if (!first || isNarrow(first)) return rows
  return rows.slice(above.findLastIndex(isNarrow) + 1)
}

/** Turns names round in a column "Last name, First name". Other text is unchanged. */
export function turnNames(rows: SheetRow[]): SheetRow[] {
  const [header, ...dataRows] = rows
  const column = header?.cells.findIndex((cell) => reversedNames.includes(normalizeHeader(cell))) ?? -1
  if (!header || column === -1) return rows
  const turn = (cell: string) => {
    const [last = '', first = '', ...more] = cell.split(',').map((part) => part.trim())
    return last && first && more.length === 0 ? `${first} ${last}` : cell
  }
  return [
    header,
    ...dataRows.map((row) => ({
      ...row,
      cells: row.cells.map((cell, i) => (i === column ? turn(cell) : cell)),
    })),
  ]
}

function detectByHeader(
  named: NamedColumns,
  emailCounts: EmailCounts,
  filled: ReadonlySet<number>,
): ColumnIndices {
  const [firstName = null, lastName = null] = findNameColumns(named, filled)
  const columns = mapFields((name) => named[name] ?? null)
  const countIn = (column = -1) => emailCounts.get(column) ?? 0
  const isUserName = countIn(named.username) > countIn(named.email)
  const email =
    (isUserName ? named.username : named.email) ??
    findEmailColumn(emailCounts, [firstName, lastName, columns.password]) ??
    named.username ??
    null
  return { ...columns, [titleField]: firstName, lastName, email }
}

/** The column of the name, or those of its first and second half. One that is empty in every row gives way to others. */
function findNameColumns(named: NamedColumns, filled: ReadonlySet<number>): (number | undefined)[] {
  const { [titleField]: fullName, name, firstName, lastName, title } = named
  const hasOther = [name, firstName, lastName, title].some((column = -1) => filled.has(column))
  if (fullName !== undefined && (filled.has(fullName) || !hasOther)) return [fullName]
  // Where the first name has its own column, a column `name` contains the last name.
  if (firstName !== undefined) return [firstName, lastName ?? name]
  return name === undefined ? [lastName ?? title] : [name, lastName]
}

/**
 * The email column is the one with the most emails, the name column is the first other one. A single remaining column is
 * the password. With more columns no password is guessed: the preview hides passwords, so a wrong guess would go unnoticed.
 */
function detectByContent(rows: SheetRow[], emailCounts: EmailCounts): ColumnIndices {
  const email = findEmailColumn(emailCounts, [])
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length))
  const textsOf = (column: number) => rows.map(({ cells }) => cells[column]?.trim() ?? '').filter(Boolean)
  const isEvery = (column: number, pattern: RegExp) => {
    const texts = textsOf(column)
    return texts.length > 0 && texts.every((text) => pattern.test(text))
  }
  const others = Array.from({ length: width }, (_, index) => index).filter((index) => index !== email)
  // Keeper writes folder, title, login, password and address.
  const isKeeper = email === 2 && width >= 5 && isEvery(4, /^https?:\/\//i)
  if (isKeeper) return { ...mapFields(() => null), [titleField]: 1, lastName: null, email, password: 3 }
  const name = others.find((index) => !isEvery(index, employeeNumber)) ?? null
  return {
    ...mapFields(() => null),
    [titleField]: name,
    lastName: null,
    email,
    password: others.length === 2 ? (others.find((index) => index !== name) ?? null) : null,
  }
}

const employeeNumber = /^[a-z]{0,3}[-.\s]?\d[\d\s./-]*$/i

/** The number of emails in each column that has any. */
type EmailCounts = Map<number, number>

function countEmails(rows: SheetRow[]): EmailCounts {
  const counts: EmailCounts = new Map()
  for (const { cells } of rows) {
    for (const [index, cell] of cells.entries()) {
      if (isEmail(parseEmail(cell).email)) counts.set(index, (counts.get(index) ?? 0) + 1)
    }
  }
  return counts
}

/** The column with the most emails that is not used for something else. */
function findEmailColumn(emailCounts: EmailCounts, usedColumns: readonly (number | null)[]): number | null {
  const candidates = [...emailCounts].filter(([index]) => !usedColumns.includes(index))
  return candidates.sort(([, a], [, b]) => b - a)[0]?.[0] ?? null
}

/**
 * Removes what follows in brackets, such as `[Required]`, and Microsoft's `Required` behind it, besides case, accents, spaces and punctuation. Returns '' for a long
 * text: it is no header, and matching the brackets would take minutes.
 */
function normalizeHeader(name: string): string {
  if (name.length > maxHeaderLength) return ''
  return name
    .replace(/\[.*\](\s*required)?/i, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
