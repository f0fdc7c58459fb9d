import { maxBatchSize } from '../../../../../../../contract/batches.ts'
import { SheetCollector, type WorkbookSheet } from '../../archive/sheets.ts'
import { createDamagedListError, escapesDoubt, SourceError, unreadableList } from '../../sheet.ts'
import { SqlError, SqlScanner, type SqlValue } from './sql-scanner.ts'

/** What stands at the start of texts of SQL, and hardly of others. */
const beginning =
  /^(--|\/\*|\\\w|(insert|replace into|create|drop|set|use|begin|start|copy|pragma|(un)?lock|alter|update|delete|grant|truncate|rem|go|prompt)\s)/i
/** What is of a database, although it has no records: changes of some, or users. */
const statements =
  /^(\s|--[^\n]*\n|\/\*[^\n]*\n|(set|pragma|use|begin|start)\b[^;\n]*;)*(insert into|create (table|database|user)|drop table|(un)?lock tables|update \S+ set|delete from|copy \S[^\n]* from stdin;?)\s/i

const mySqlSigns =
  /\/\*!\d|^[ \t]*(?:insert|replace|create|drop|lock)\b[^'"\n;]*`|^-- (?:MySQL|MariaDB|phpMyAdmin|Adminer|HeidiSQL)/im
const standardSigns =
  /^PRAGMA\b|^-- PostgreSQL database dump|standard_conforming_strings = on|^GO\r?$|^insert (?:into )?\[|^REM INSERTING/im

const insertPattern =
  /(?:insert(?:\s+(?:ignore|low_priority|high_priority|delayed|or\s+\w+))*(?:\s+into)?|replace\s+into)\s+/iy
const createPattern = /create\s+(?:(?:temporary|temp|unlogged|global)\s+)*table\s+(?:if\s+not\s+exists\s+)?/iy
const copyPattern = /copy\s+/iy
const copyEnd = /\s*from\s+stdin\s*;[^\n]*\n/iy
const valuesPattern = /(?:overriding\s+\w+\s+value\s+)?values?\s*(?=\()/iy
const delimiterPattern = /delimiter\s+(\S+)[^\n]*/iy
/** Lines of the programs that run SQL. */
const commandPattern = /(?:\\[a-z]|rem\b|prompt\b|go\b|#)[^\n]*/iy
const nextStatement = /(?=(?:insert|go|set|create|alter|update|delete|print|replace)\b)/iy
/** What describes a table, and not a column. */
const tablePart =
  /(?:primary|unique|key|constraint|foreign|check|index|fulltext|spatial|exclude|like|period)\b/iy

/** Limits the tables: a file may name any number. */
const maxTables = 2_000

interface Table {
  columns: string[]
  /** Whether the names of the columns are known. */
  isNamed: boolean
  rows: SqlValue[][]
}

/**
 * Reads the tables that a database has written as SQL: the values of INSERT, the lines of COPY. Null for other text. Throws a
 * `SourceError` if it is damaged, or has no records.
 */
export function readSql(original: string): WorkbookSheet[] | null {
  const text = original.replace(/^[\s\ufeff]+/, '')
  const start = text.slice(0, 100_000)
  if (!beginning.test(start)) return null
  const isMySql = mySqlSigns.test(start)
  const isKnown = isMySql || standardSigns.test(start)
  const read = readTables(text, isMySql) ?? (isKnown ? undefined : readTables(text, true))
  if (!read) {
    if (/^[ \t]*(?:insert\s|copy\s[^\n]*\sfrom\s+stdin)/im.test(text) && statements.test(start))
      throw createDamagedListError()
    return null
  }
  const { tables, hasBackslash } = read
  const hasBytes = [...tables.values()].some(({ rows }) => rows.some((row) => row.some(isOfBytes)))
  const sheets = toSheets(tables, hasBytes || (hasBackslash && !isKnown))
  if (sheets.length > 0) return sheets
  if (statements.test(start)) throw new SourceError(unreadableList)
  return null
}

/** How PostgreSQL writes bytes in a text. */
const isOfBytes = (value: SqlValue | undefined) => /^\\x([\da-f]{2})+$/i.test(value?.text ?? '')

function readTables(text: string, hasEscapes: boolean) {
  const scanner = new SqlScanner(text, hasEscapes)
  const tables = new Map<string, Table>()
  try {
    for (scanner.skipSpace(); !scanner.isAtEnd; scanner.skipSpace()) readStatement(scanner, tables)
  } catch (error) {
    if (error instanceof SqlError) return undefined
    throw error
  }
  return { tables, hasBackslash: scanner.hasBackslash }
}

function readStatement(scanner: SqlScanner, tables: Map<string, Table>) {
  const delimiter = scanner.take(delimiterPattern)?.[1]
  if (delimiter === ';') return
  if (delimiter !== undefined) {
    // Functions of a database have statements in them.
    const end = /^delimiter\s+;/gim
    end.lastIndex = scanner.at
    scanner.at = end.exec(scanner.text)?.index ?? scanner.text.length
    return
  }
  if (scanner.take(commandPattern)) return
  if (scanner.take(insertPattern)) {
    // SQL Server ends no statement by a sign.
    if (readInsert(scanner, tables) && scanner.take(nextStatement)) return
  } else if (scanner.take(createPattern)) readCreate(scanner, tables)
  else if (scanner.take(copyPattern) && readCopy(scanner, tables)) return
  scanner.skipTo(';')
  scanner.take(/;|[ \t]*GO[ \t]*\r?/iy)
}

function findTable(tables: Map<string, Table>, name: string): Table {
  const key = name.toLowerCase()
  const table = tables.get(key) ?? { columns: [], isNamed: false, rows: [] }
  if (!tables.has(key) && tables.size === maxTables) throw new SqlError()
  tables.set(key, table)
  return table
}

function readCreate(scanner: SqlScanner, tables: Map<string, Table>) {
  const name = scanner.takeName()
  scanner.skipSpace()
  if (name === undefined || !scanner.take(/\(/y)) return
  const columns: string[] = []
  do {
    scanner.skipSpace()
    const column = scanner.take(tablePart) ? undefined : scanner.takeIdentifier()
    if (column !== undefined) columns.push(column)
    scanner.skipTo(',)')
  } while (scanner.take(/,/y))
  const table = findTable(tables, name)
  if (table.rows.length === 0) Object.assign(table, { columns, isNamed: true })
}

/** Returns whether there are values. */
function readInsert(scanner: SqlScanner, tables: Map<string, Table>): boolean {
  const name = scanner.takeName()
  if (name === undefined) return false
  const names = scanner.takeNames()
  scanner.skipSpace()
  if (!scanner.take(valuesPattern)) return false
  const table = findTable(tables, name)
  const places = names && placeColumns(table, names)
  do {
    scanner.skipSpace()
    if (!scanner.take(/\(/y)) break
    const values: SqlValue[] = []
    do values.push(scanner.takeValue())
    while (scanner.take(/,/y))
    scanner.expect(/\)/y)
    addRow(table, values, places)
    scanner.skipSpace()
  } while (scanner.take(/,/y))
  return true
}

/** The columns of a table in which the values of these names stand. */
function placeColumns(table: Table, names: readonly string[]): number[] {
  table.isNamed = true
  return names.map((name) => {
    const known = table.columns.findIndex((column) => column.toLowerCase() === name.toLowerCase())
    return known === -1 ? table.columns.push(name) - 1 : known
  })
}

function addRow(table: Table, values: SqlValue[], places?: readonly number[]) {
  if (places && places.length !== values.length) throw new SqlError()
  // One more tells that there are too many.
  if (table.rows.length > maxBatchSize) return
  if (!places) {
    table.rows.push(values)
    return
  }
  const row: SqlValue[] = []
  for (const [i, value] of values.entries()) row[places[i] ?? i] = value
  table.rows.push(row)
}

/** Reads the lines of records; false if none follow. */
function readCopy(scanner: SqlScanner, tables: Map<string, Table>): boolean {
  const name = scanner.takeName()
  const names = scanner.takeNames()
  if (name === undefined || !scanner.take(copyEnd)) return false
  const table = findTable(tables, name)
  const places = names && placeColumns(table, names)
  for (;;) {
    const [line = ''] = scanner.take(/[^\n]*/y) ?? []
    const isLast = !scanner.take(/\n/y)
    const cells = line.replace(/\r$/, '')
    if (cells === '\\.') return true
    if (isLast) throw new SqlError()
    addRow(
      table,
      cells.split('\t').map((cell) => ({ text: decodeCopied(cell) })),
      places,
    )
  }
}

const copyEscapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

const decodeCopied = (cell: string) =>
  cell === '\\N'
    ? ''
    : cell.replace(
        /\\(?:x([\da-f]{1,2})|([0-7]{1,3})|(.))/gis,
        (_, hex?: string, octal?: string, other?: string) => {
          if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
          if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
          return copyEscapes[other ?? ''] ?? other ?? ''
        },
      )

function toSheets(tables: ReadonlyMap<string, Table>, areEscapesDoubtful: boolean): WorkbookSheet[] {
  const collector = new SheetCollector({ maxRows: maxBatchSize + 1, onProgress: () => {} })
  for (const [name, { columns, isNamed, rows }] of tables) {
    if (rows.length === 0) continue
    collector.addSheet(name, false)
    if (areEscapesDoubtful) collector.markSheet({ doubts: [escapesDoubt] })
    const width = rows[0]?.length ?? 0
    const hasHeader = isNamed && width <= columns.length
    const lines = hasHeader ? [columns.map((text) => ({ text })), ...rows] : rows
    for (const [i, row] of lines.entries()) {
      collector.beginRow(hasHeader ? i : i + 1, false)
      for (const [column, value] of row.entries()) if (value) collector.addCell(column, value)
      if (!collector.endRow()) break
    }
  }
  return collector.finish()
}
