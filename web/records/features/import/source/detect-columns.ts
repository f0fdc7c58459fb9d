import {
  type FieldName,
  fieldNames,
  fieldRules,
  isEmail,
  mapFields,
} from '../../../../../contract/employees.ts'
import { catalogHeaders } from '../../../../language/import-headers.ts'
import { fieldViews, titleField } from '../../../model/fields.ts'
import { joinName } from '../../../model/join-name.ts'
import { isEmailCell, parseFirstEmail } from './first-email.ts'
import type { SheetRow } from './sheet.ts'

/** The 0-based column of each field, and of the last name if it has its own; null if no column contains it. */
export type ColumnIndices = Record<FieldName | 'lastName', number | null>

export interface SheetLayout {
  hasHeader: boolean
  columns: ColumnIndices
  /** The column of the passwords was found by how they look, among others that might be it; or others have the same header. */
  isPasswordGuessed: boolean
  /** The column of the names has a header that is not known, and was found by its content. */
  isNameGuessed: boolean
  /** Other columns have the same header as that of the emails, with other texts. */
  isEmailGuessed: boolean
}

/**
 * Headers of columns that contain a field only if no other does, or a part of one, as `FieldView.headers`; those of languages are
 * in their catalogs.
 */
const otherHeaders = {
  /** The whole name, or a half of it if the other half has a column too. */
  name: 'name naam namn navn nama nimi ad nume nafn имя име',
  firstName:
    'firstname firstnames first fname legalfirstname givenname givennames given forename forenames voornaam fornamn fornavn imie jmeno meno keresztnev utonev prenume ime vardas vards eesnimi etunimi isim ονομα',
  lastName:
    'lastname last lname surname familyname family sn cognome achternaam efternamn efternavn etternavn nazwisko prijmeni priezvisko vezeteknev csaladnev prezime priimek pavarde uzvards perekonnanimi sukunimi soyad soyadi primerapellido apellidopaterno apellido1 1apellido 1erapellido lastname1 surname1 επωνυμο фамилия прізвище презиме',
  /** What stands for the first name only if that has no column. */
  initials: 'initials initialen initiales iniciales voorletters',
  /** Parts of a last name, such as "van", that have columns of their own. */
  lastNamePrefix:
    'tussenvoegsel tussenvoegsels voorvoegsel voorvoegsels namenszusatz namensvorsatz vorsatzwort vorsatzworter adelszusatz surnameprefix lastnameprefix infix particule',
  secondLastName:
    'secondlastname secondsurname segundoapellido apellidomaterno apellido2 2apellido 2oapellido lastname2 surname2',
  title: 'title account accountname label nickname secretname',
  /** What the entries of a browser have instead. */
  address: 'url',
  username: 'username loginusername loginname login user userid userprincipalname',
}
type HeaderKind = FieldName | keyof typeof otherHeaders

const maxHeaderLength = 100

/** Headers of a column with the whole name, the last name first. */
const reversedNames: ReadonlySet<string> = new Set([
  ...'lastnamefirstname surnamefirstname lastfirst surnameforename familynamegivenname cognomenome achternaamvoornaam'.split(
    ' ',
  ),
  ...listCatalogHeaders('reversedName'),
])

function listCatalogHeaders(kind: HeaderKind | 'reversedName'): string[] {
  return catalogHeaders.flatMap((headers) => headers[kind] ?? []).map(normalizeHeader)
}

const kindByHeader = new Map<string, HeaderKind>()
for (const name of fieldNames) {
  const { label } = fieldRules[name]
  const { headers } = fieldViews[name]
  for (const header of [name, label, ...headers.split(' ')]) kindByHeader.set(normalizeHeader(header), name)
  for (const header of listCatalogHeaders(name)) kindByHeader.set(header, name)
}
for (const header of reversedNames) kindByHeader.set(header, titleField)
// The last word: the label of the name may be a word for a half of it too.
for (const [kind, headers] of Object.entries(otherHeaders) as [HeaderKind, string][]) {
  for (const header of [...headers.split(' ').map(normalizeHeader), ...listCatalogHeaders(kind)])
    kindByHeader.set(header, kind)
}

/** Whether a text is the header of a column that is known. */
export const isHeader = (text: string) => kindByHeader.has(normalizeHeader(text))

/** Whether a text is the header of a column of secrets. */
export function isSecretHeader(text: string): boolean {
  const kind = kindByHeader.get(normalizeHeader(text))
  return fieldNames.some((name) => name === kind && fieldRules[name].isSecret)
}

export const isEmailHeader = (text: string) => kindByHeader.get(normalizeHeader(text)) === 'email'

/** Whether a text is the header of a column of names, or of halves of them, and not of titles. */
export function isNameHeader(text: string): boolean {
  const kind = kindByHeader.get(normalizeHeader(text))
  return kind !== undefined && kind !== 'title' && maybeNames.includes(kind)
}

/** Detects the columns by the header, or by their content if there is no header. Rows that are left out do not count. */
export function detectColumns(allRows: SheetRow[]): SheetLayout {
  const rows = allRows.filter(({ skipReason }) => !skipReason)
  const header = rows[0]?.cells ?? []
  const sample = rows.slice(0, sampleSize)
  const emailCounts = countEmails(sample)
  const byContent = detectByContent(sample, emailCounts)
  byContent.isPasswordGuessed ||= isPasswordContinued(byContent.columns.password, header, rows)
  if (header.some(isEmailCell)) return { hasHeader: false, ...byContent }
  const filled = findFilledColumns(rows.slice(1))
  const isNumbers = (column: number) => isEvery(textsIn(sample.slice(1), column), employeeNumber)
  const named = nameColumns(header, filled, isNumbers)
  if (Object.keys(named).length > 0) {
    const columns = detectByHeader(named, emailCounts, rows)
    const isHalf = columns.lastName === null && isHalfName(columns[titleField], named, header)
    const guessed = guessMissing(columns, sample.slice(1), header, isHalf)
    const hasRival = (column: number | null) => findRival(column, header, rows.slice(1)) !== undefined
    return {
      hasHeader: true,
      ...guessed,
      isPasswordGuessed:
        guessed.isPasswordGuessed ||
        hasRival(guessed.columns.password) ||
        isPasswordContinued(guessed.columns.password, header, rows) ||
        hasOtherPasswords(guessed.columns.password, header, rows.slice(1)),
      isEmailGuessed:
        isEmailUnnamed(guessed.columns.email, header) ||
        (named.email === undefined && hasOtherEmails(guessed.columns.email, emailCounts, rows.slice(1))) ||
        hasRival(guessed.columns.email) ||
        differs(named.email, guessed.columns.email, rows.slice(1)),
    }
  }
  // A text above emails is the title of their column, in whatever language. Titles have no digits, passwords often do.
  const { email } = byContent.columns
  const title = email === null ? '' : (header[email]?.trim() ?? '')
  return { hasHeader: title !== '' && !/[@\d]/.test(header.join('')), ...byContent }
}

/** The number of rows from which the columns are detected. */
const sampleSize = 100

type NamedColumns = Partial<Record<HeaderKind, number>>

const maybeNames: readonly HeaderKind[] = [titleField, 'name', 'firstName', 'lastName', 'title']

/** The first column of each kind, if possible one that is not empty in every row. Numbers of employees are no names. */
function nameColumns(
  header: string[],
  filled: ReadonlySet<number> = new Set(),
  isNumbers = (_column: number) => false,
): NamedColumns {
  const named: NamedColumns = {}
  const indices = [...header.keys()].sort((a, b) => Number(filled.has(b)) - Number(filled.has(a)))
  const others = new Map<HeaderKind, number[]>()
  for (const index of indices) {
    const cell = header[index] ?? ''
    const exact = kindByHeader.get(normalizeHeader(cell))
    const mayHaveHint = filled.size === 0 || filled.has(index)
    const kind = exact ?? (mayHaveHint ? findWithoutHint(cell) : undefined)
    if (!kind || (maybeNames.includes(kind) && isNumbers(index))) continue
    if (exact) named[kind] ??= index
    else others.set(kind, [...(others.get(kind) ?? []), index])
  }
  // Of "Password (old)" and "Password (new)" neither is meant for sure.
  for (const [kind, [index, ...more]] of others)
    if (index !== undefined && more.length === 0) named[kind] ??= index
  return named
}

/** The kind of a header without a hint in brackets or on another line, such as "Password (at least 8 characters)". */
function findWithoutHint(cell: string): HeaderKind | undefined {
  if (cell.length > maxHeaderLength) return undefined
  const parts = [cell.replace(/[([{<（【].*$/s, ''), ...cell.trim().split(/[\r\n]+/)]
  return parts.map((part) => kindByHeader.get(normalizeHeader(part))).find((kind) => kind !== undefined)
}

function findFilledColumns(rows: SheetRow[]): ReadonlySet<number> {
  const isFilled: boolean[] = []
  for (const { cells } of rows)
    for (let index = 0; index < cells.length; index++) isFilled[index] ||= cells[index]?.trim() !== ''
  return new Set(isFilled.keys().filter((index) => isFilled[index]))
}

const textsIn = (rows: SheetRow[], column: number) =>
  rows.map(({ cells }) => cells[column]?.trim() ?? '').filter(Boolean)

const isEvery = (texts: string[], pattern: RegExp) =>
  texts.length > 0 && texts.every((text) => pattern.test(text))

/** The number of rows, without the empty ones, in which the header is looked for. */
const maxHeaderPosition = 20

/**
 * Removes the rows above the list, such as a title, a version or comments: those above the row that names the most columns, or
 * else those with a single cell above emails in a wider list. A header of two rows becomes one.
 */
export function skipPreamble(rows: SheetRow[]): SheetRow[] {
  const top = rows.slice(0, maxHeaderPosition)
  const emailPosition = top.findIndex(({ cells }) => cells.some(isEmailCell))
  const above = emailPosition === -1 ? top : top.slice(0, emailPosition)
  const scores = above.map(({ cells }) => Object.keys(nameColumns(cells)).length)
  const best = Math.max(0, ...scores)
  for (const [i, upper] of above.entries()) {
    const lower = above[i + 1]
    const joined = lower && joinHeaders(upper, lower)
    if (joined && Object.keys(nameColumns(joined.cells)).length > best) return [joined, ...rows.slice(i + 2)]
  }
  if (best >= 2) return rows.slice(scores.indexOf(best))
  const isNarrow = ({ cells }: SheetRow) => cells.filter((cell) => cell.trim() !== '').length <= 1
  const first = rows[emailPosition]
  if (!first || isNarrow(first)) return rows
  const start = above.findLastIndex(isNarrow) + 1
  // What could not be read as a row is no title.
  return above.slice(0, start).some(({ problem }) => problem) ? rows : rows.slice(start)
}

/** A header whose words, or whose columns, are in two rows. */
function joinHeaders(upper: SheetRow, lower: SheetRow): SheetRow {
  const width = Math.max(upper.cells.length, lower.cells.length)
  const cells = Array.from({ length: width }, (_, i) => {
    const [above = '', below = ''] = [upper.cells[i], lower.cells[i]]
    const both = `${above} ${below}`.trim()
    return [both, below, above].find(isHeader) ?? both
  })
  return { ...lower, cells }
}

/** Joins last names of which a part has a column of its own. Other text is unchanged. */
export function joinLastNames(rows: SheetRow[]): SheetRow[] {
  const named = nameColumns(rows[0]?.cells ?? [])
  const { lastNamePrefix, secondLastName } = named
  const lastName = named.lastName ?? (named.firstName === undefined ? undefined : named.name)
  if (lastName === undefined || (lastNamePrefix ?? secondLastName) === undefined) return rows
  const join = ({ cells }: SheetRow) =>
    [lastNamePrefix, lastName, secondLastName]
      .map((column) => cells[column ?? -1]?.trim() ?? '')
      .filter(Boolean)
      .join(' ')
  return rows.map((row, i) =>
    i === 0 ? row : { ...row, cells: row.cells.map((cell, j) => (j === lastName ? join(row) : cell)) },
  )
}

/** "Last name, First name", but no name with what may follow one, such as a degree. */
const reversedName =
  /^[\p{L}\p{M}\s.'’-]+,(?!\s*(ph\.?\s?d|m\.?d|mba|m\.?sc|b\.?sc|jr|sr|ii+|esq|inc|llc|ltd|gmbh|ag)\b)[\p{L}\p{M}\s.'’-]+$/iu

/**
 * Turns names round in a column "Last name, First name": one with such a header, or with such names only. In files of programs
 * those may be titles of entries, and our own exports come back unchanged. Other text is unchanged.
 */
export function turnNames(rows: SheetRow[], isOfProgram: boolean): SheetRow[] {
  const header = rows[0]?.cells ?? []
  const named = header.findIndex((cell) => reversedNames.has(normalizeHeader(cell)))
  const column = named === -1 && !isOfProgram ? findReversedNames(rows) : named
  const turn = (cell: string) => {
    const [last = '', first = '', ...more] = cell.split(',').map((part) => part.trim())
    return last && first && more.length === 0 ? joinName(first, last) : cell
  }
  if (column === -1) return rows
  return rows.map((row, i) => {
    const isHeader = i === 0 && named !== -1
    if (isHeader) return row
    return { ...row, cells: row.cells.map((cell, j) => (j === column ? turn(cell) : cell)) }
  })
}

function findReversedNames(rows: SheetRow[]): number {
  const { hasHeader, columns } = detectColumns(rows)
  const column = columns[titleField]
  if (column === null || columns.lastName !== null) return -1
  if (hasHeader && rows[0]?.cells[column] === fieldRules[titleField].label) return -1
  return isEvery(textsIn(rows.slice(hasHeader ? 1 : 0, sampleSize), column), reversedName) ? column : -1
}

function detectByHeader(named: NamedColumns, emailCounts: EmailCounts, rows: SheetRow[]): ColumnIndices {
  const [firstName = null, lastName = null] = findNameColumns(named, rows.slice(1))
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

/** Whether the emails were found below a header that is not known, as of somebody else. */
function isEmailUnnamed(column: number | null, header: string[]): boolean {
  const cell = column === null ? '' : (header[column] ?? '')
  const kind = kindByHeader.get(normalizeHeader(cell)) ?? findWithoutHint(cell)
  return cell.trim() !== '' && kind === undefined
}

/** Whether another column has emails in about as many rows, and other ones. */
function hasOtherEmails(email: number | null, counts: EmailCounts, rows: SheetRow[]): boolean {
  const least = Math.max(1, (counts.get(email ?? -1) ?? 0) / 2)
  return [...counts].some(
    ([column, count]) => column !== email && count >= least && differs(column, email, rows),
  )
}

/** Another column whose header means the same, with other texts: either may be meant. */
function findRival(column: number | null, header: string[], rows: SheetRow[]): number | undefined {
  const kindOf = (index: number) => kindByHeader.get(normalizeHeader(header[index] ?? ''))
  const kind = column === null ? undefined : kindOf(column)
  if (column === null || kind === undefined) return undefined
  return [...header.keys()].find(
    (index) => index !== column && kindOf(index) === kind && differs(index, column, rows),
  )
}

/** Whether any row has a text behind the password, below no header or behind the last one: it may be the rest of it. */
function isPasswordContinued(password: number | null, header: string[], rows: SheetRow[]): boolean {
  if (password === null) return false
  const next = password + 1
  return !header[next]?.trim() && rows.some(({ cells }) => cells[next]?.trim())
}

/** Whether another column has passwords too, such as "Current password" beside "Initial password", which is a known header. */
function hasOtherPasswords(password: number | null, header: string[], rows: SheetRow[]): boolean {
  return [...header.entries()].some(([index, cell]) => {
    const isOther = index !== password && !isHeader(cell) && cell.length <= maxHeaderLength
    if (!isOther || !cell.split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u).some(isSecretHeader)) return false
    const texts = textsIn(rows, index)
    return texts.filter(isPasswordLike).length > texts.length / 2 && differs(index, password, rows)
  })
}

/** Whether a column has texts that are not those of another. */
function differs(column: number | undefined, other: number | null, rows: SheetRow[]): boolean {
  const textOf = ({ cells }: SheetRow, index: number) => cells[index]?.trim() ?? ''
  if (column === undefined || other === null) return false
  return rows.some((row) => textOf(row, column) !== '' && textOf(row, column) !== textOf(row, other))
}

/** The column of the name, or those of its first and second half. One that is empty in every row gives way to others. */
function findNameColumns(named: NamedColumns, rows: SheetRow[]): (number | undefined)[] {
  const filled = findFilledColumns(rows)
  const kinds = [titleField, 'name', 'firstName', 'lastName', 'title', 'initials'] as const
  const isAnyFilled = kinds.some((kind) => filled.has(named[kind] ?? -1))
  const [fullName, name, givenName, lastName, title, initials] = kinds.map((kind) =>
    isAnyFilled && !filled.has(named[kind] ?? -1) ? undefined : named[kind],
  )
  const firstName = givenName ?? (lastName === undefined ? undefined : initials)
  if (fullName !== undefined) return [fullName]
  // Where the first name has its own column, a column `name` contains the last name, unless it contains the first one too.
  const [half] = [firstName, lastName].filter((column) => column !== undefined)
  if (name !== undefined && half !== undefined && isWithin(rows, half, name)) return [name]
  if (firstName !== undefined) return [firstName, lastName ?? name]
  return name === undefined ? [lastName ?? title ?? named.address] : [name, lastName]
}

/** Whether the words of one column are among those of another in most rows. */
function isWithin(rows: SheetRow[], part: number, whole: number): boolean {
  const both = rows.filter(({ cells }) => cells[part]?.trim() && cells[whole]?.trim())
  const contains = ({ cells }: SheetRow) => {
    const [inner, outer] = [cells[part]?.trim() ?? '', cells[whole]?.trim() ?? '']
    return inner !== outer && ` ${outer.replaceAll(',', ' ')} `.includes(` ${inner} `)
  }
  return both.length > 0 && both.filter(contains).length > both.length / 2
}

/** Whether the names are halves by their header, or it is one of several columns: the next one has none. */
const isHalfName = (column: number | null, { firstName, lastName }: NamedColumns, header: string[]) =>
  column !== null && (column === firstName || column === lastName || header[column + 1]?.trim() === '')

/**
 * Finds by their content the columns of a name and a password that no header names. `isHalf`: the names are halves, of which others
 * may be in another column.
 */
function guessMissing(
  columns: ColumnIndices,
  rows: SheetRow[],
  header: string[],
  isHalf: boolean,
): Omit<SheetLayout, 'hasHeader' | 'isEmailGuessed'> {
  const used = Object.values(columns)
  const unknown = [...header.keys()].filter(
    (index) => !used.includes(index) && !kindByHeader.has(normalizeHeader(header[index] ?? '')),
  )
  const guess = (looksRight: (texts: string[]) => boolean) =>
    unknown.filter((index) => looksRight(textsIn(rows, index)))
  const others = columns[titleField] === null || isHalf ? guess(looksLikeNames) : []
  const names = isHalf ? [] : others
  const passwords = columns.password === null ? guess(looksLikePasswords) : []
  const [name = columns[titleField]] = names
  const password = passwords.length === 1 ? (passwords[0] ?? null) : columns.password
  return {
    columns: { ...columns, [titleField]: name, password },
    isNameGuessed: others.length > 0,
    isPasswordGuessed: passwords.length === 1,
  }
}

/** Words of letters, different in most rows. */
function looksLikeNames(texts: string[]): boolean {
  const isName = (text: string) => /^\p{L}[\p{L}\p{M}\s.,'’-]*$/u.test(text) && text.length < 100
  return texts.length > 0 && texts.every(isName) && new Set(texts).size >= texts.length * 0.6
}

/**
 * The email column is the one with the most emails, the password is the only one that looks like passwords, the name is the first
 * other one that is not numbers. The last of three columns is the password, however it looks.
 */
function detectByContent(rows: SheetRow[], emailCounts: EmailCounts): Omit<SheetLayout, 'hasHeader'> {
  const email = findEmailColumn(emailCounts, [])
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length))
  const others = Array.from({ length: width }, (_, index) => index).filter((index) => index !== email)
  const likely = email === null ? [] : others.filter((index) => looksLikePasswords(textsIn(rows, index)))
  const guess = likely.length === 1 ? likely[0] : undefined
  const isName = (index: number) => index !== guess && !isEvery(textsIn(rows, index), employeeNumber)
  const name =
    others.find((index) => isName(index) && looksLikeNames(textsIn(rows, index))) ??
    others.find(isName) ??
    null
  const password = guess ?? (others.length === 2 ? others.find((index) => index !== name) : undefined) ?? null
  const columns = { ...mapFields(() => null), [titleField]: name, lastName: null, email, password }
  const isNameLike = (column: number | null) => column !== null && looksLikeNames(textsIn(rows, column))
  const isLikeOther =
    !isNameLike(name) || isNameLike(password) || (guess === undefined && mayBeSwapped(rows, name, password))
  const isNameGuessed = email !== null && name !== null && (isLikeOther || others.length > 2)
  const isPasswordGuessed =
    (guess !== undefined && others.length > 2) || (password !== null && emailCounts.has(password))
  return { columns, isPasswordGuessed, isNameGuessed, isEmailGuessed: false }
}

/** Whether the column of the passwords may be that of the names: it is before it, or has spaces or other letters. */
const mayBeSwapped = (rows: SheetRow[], name: number | null, password: number | null) =>
  name !== null &&
  password !== null &&
  (password < name || textsIn(rows, password).some((text) => /\s|[^\0-\x7f]/.test(text)))

const employeeNumber = /^[a-z]{0,3}[-.\s]?\d[\d\s./-]*$/i
/** Letters together with digits or signs, without spaces, but no address and no UUID. */
const passwordLike = /^(?![a-z]+:\/\/|www\.|[\da-f]{8}-[\da-f-]{27}$)(?=.*\p{L})(?=.*[^\p{L}.'’-])\S{6,}$/iu

const isPasswordLike = (text: string) =>
  passwordLike.test(text) && !employeeNumber.test(text) && !isEmail(text)

const looksLikePasswords = (texts: string[]) =>
  texts.length > 0 && new Set(texts.filter(isPasswordLike)).size >= texts.length * 0.8

/** The number of emails in each column that has any; one without a domain is half of one. */
type EmailCounts = Map<number, number>

function countEmails(rows: SheetRow[]): EmailCounts {
  const counts: EmailCounts = new Map()
  for (const { cells } of rows) {
    for (const [index, cell] of cells.entries()) {
      const { email, count } = parseFirstEmail(cell)
      if (count === 0) continue
      // Passwords may look like emails, rarely with a domain.
      const weight = /@.+\.\p{L}{2,}$/u.test(email) ? 1 : 0.5
      counts.set(index, (counts.get(index) ?? 0) + weight)
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
 * Removes case, accents, spaces and punctuation, a part in brackets such as `[Required]`, and Microsoft's `Required` after it. Returns '' for a long text: it is no header, and matching the brackets would take minutes.
 */
function normalizeHeader(name: string): string {
  if (name.length > maxHeaderLength) return ''
  return name
    .replace(/\[.*\](\s*required)?/i, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
