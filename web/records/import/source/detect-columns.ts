import { type EmployeeFields, isEmail } from '../../../../contract/employees.ts'
import type { SheetRow } from './parse-sheet.ts'

export type Field = keyof EmployeeFields

/** The 0-based column of each field; null if no column contains it. */
export type ColumnIndices = Record<Field, number | null>

export interface SheetLayout {
  hasHeader: boolean
  columns: ColumnIndices
}

/** Common header names in several languages, separated by spaces; compared after `normalizeHeader`. */
const headerNames: Record<Field, string> = {
  eName:
    'ename name employeename employee fullname displayname person staff staffmember mitarbeiter mitarbeitername mitarbeiterin vorundnachname nom nomcomplet employe nombre nombrecompleto empleado nome nomecompleto naam namn navn фио имя 氏名 名前 姓名',
  email:
    'email emailaddress emailid mail mailaddress emailadresse mailadresse adresseemail courriel correo correoelectronico epost epostadresse почта メール メールアドレス 邮箱 电子邮件',
  password:
    'password pass passwd pwd pw passphrase passwort kennwort motdepasse mdp contrasena clave senha wachtwoord losenord adgangskode passord пароль パスワード 密码',
}
const fieldByHeaderName = new Map(
  (Object.keys(headerNames) as Field[]).flatMap((field) =>
    headerNames[field].split(' ').map((name) => [normalizeHeader(name), field]),
  ),
)

/** Detects the columns by the header, or by their content if there is no header. */
export function detectColumns(rows: SheetRow[]): SheetLayout {
  const first = rows[0]?.cells ?? []
  const headerColumns = detectByHeader(first)
  const hasHeader =
    !first.some((cell) => isEmail(cell.trim())) &&
    Object.values(headerColumns).some((column) => column !== null)
  if (hasHeader)
    return {
      hasHeader,
      columns: { ...headerColumns, email: headerColumns.email ?? findEmailColumn(rows, headerColumns) },
    }
  return { hasHeader, columns: detectByContent(rows) }
}

function detectByHeader(header: string[]): ColumnIndices {
  const columns: ColumnIndices = { eName: null, email: null, password: null }
  for (const [index, cell] of header.entries()) {
    const field = fieldByHeaderName.get(normalizeHeader(cell))
    if (field) columns[field] ??= index
  }
  return columns
}

/**
 * The email column is the one with the most emails, the name column is the first other one. A single remaining column is
 * the password. With more columns no password is guessed: the preview hides passwords, so a wrong guess would go unnoticed.
 */
function detectByContent(rows: SheetRow[]): ColumnIndices {
  const email = findEmailColumn(rows, {})
  const width = Math.max(0, ...sampleRows(rows).map(({ cells }) => cells.length))
  const others = Array.from({ length: width }, (_, index) => index).filter((index) => index !== email)
  return { eName: others[0] ?? null, email, password: others.length === 2 ? (others[1] ?? null) : null }
}

function findEmailColumn(rows: SheetRow[], usedColumns: Partial<ColumnIndices>): number | null {
  const counts = new Map<number, number>()
  for (const { cells } of sampleRows(rows)) {
    for (const [index, cell] of cells.entries()) {
      if (isEmail(cell.trim())) counts.set(index, (counts.get(index) ?? 0) + 1)
    }
  }
  const candidates = [...counts].filter(([index]) => !Object.values(usedColumns).includes(index))
  return candidates.sort(([, a], [, b]) => b - a)[0]?.[0] ?? null
}

function sampleRows(rows: SheetRow[]): SheetRow[] {
  return rows.slice(0, 100)
}

function normalizeHeader(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
