import {
  type FieldName,
  fieldNames,
  fieldRules,
  isEmail,
  mapFields,
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

const kindByHeader = new Map<string, HeaderKind>()
for (const name of fieldNames) {
  const { label } = fieldRules[name]
  const { headers } = fieldViews[name]
  for (const header of [name, label, ...headers.split(' ')]) kindByHeader.set(normalizeHeader(header), name)
}
for (const [kind, headers] of Object.entries(otherHeaders) as [HeaderKind, string][]) {
  for (const header of headers.split(' ')) kindByHeader.set(normalizeHeader(header), kind)
}

/** Detects the columns by the header, or by their content if there is no header. */
export function detectColumns(rows: SheetRow[]): SheetLayout {
  const header = rows[0]?.cells ?? []
  const sample = rows.slice(0, 100)
  const emailCounts = countEmails(sample)
  const columns = detectByContent(sample, emailCounts)
  if (header.some((cell) => isEmail(cell.trim()))) return { hasHeader: false, columns }
  const named = nameColumns(header)
  if (Object.keys(named).length > 0) return { hasHeader: true, columns: detectByHeader(named, emailCounts) }
  // A text above emails is the title of their column, in whatever language. Titles have no digits, passwords often do.
  const title = columns.email === null ? '' : (header[columns.email]?.trim() ?? '')
  return { hasHeader: title !== '' && !/[@\d]/.test(header.join('')), columns }
}

type NamedColumns = Partial<Record<HeaderKind, number>>

/** The first column of each kind. */
function nameColumns(header: string[]): NamedColumns {
  const named: NamedColumns = {}
  for (const [index, cell] of header.entries()) {
    const kind = kindByHeader.get(normalizeHeader(cell))
    if (kind) named[kind] ??= index
  }
  return named
}

function detectByHeader(named: NamedColumns, emailCounts: EmailCounts): ColumnIndices {
  const [firstName = null, lastName = null] = findNameColumns(named)
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

/** The column of the name, or those of its first and second half. */
function findNameColumns(named: NamedColumns): (number | undefined)[] {
  const { [titleField]: fullName, name, firstName, lastName, title } = named
  if (fullName !== undefined) return [fullName]
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
  const others = Array.from({ length: width }, (_, index) => index).filter((index) => index !== email)
  return {
    ...mapFields(() => null),
    [titleField]: others[0] ?? null,
    lastName: null,
    email,
    password: others.length === 2 ? (others[1] ?? null) : null,
  }
}

/** The number of emails in each column that has any. */
type EmailCounts = Map<number, number>

function countEmails(rows: SheetRow[]): EmailCounts {
  const counts: EmailCounts = new Map()
  for (const { cells } of rows) {
    for (const [index, cell] of cells.entries()) {
      if (isEmail(cell.trim())) counts.set(index, (counts.get(index) ?? 0) + 1)
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
 * Removes what follows in brackets, such as `[Required]`, besides case, accents, spaces and punctuation. Returns '' for a long
 * text: it is no header, and matching the brackets would take minutes.
 */
function normalizeHeader(name: string): string {
  if (name.length > maxHeaderLength) return ''
  return name
    .replace(/\[.*\]/, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
