import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  type Employee,
  type EmployeeFields,
  findInvalidField,
  idPattern,
  pickFields,
} from '../../contract/employees.ts'
import { fsyncDirectory, fsyncFile } from '../storage/sqlite/fsync.ts'
import type { Account } from '../storage/storage.ts'
import { formatList, OperatorError } from './command.ts'
import { type LeftOut, readUploads, uploadsOf } from './export-accounts.ts'

/** What a register holds, apart from its past. */
export interface ExportContent {
  /** In order of creation. */
  books: Employee[]
  accounts: Account[]
}

/**
 * Writes a register as one JSON file, a record a line: `books`, and `accounts` as bodies of Firebase's import. The file is
 * its owner's alone, and has its name once it is whole and on the disk. Throws an `OperatorError` where it is there already.
 */
export function writeExportFile(file: string, { books, accounts }: ExportContent, overwrite = false): void {
  if (existsSync(file) && !overwrite) {
    throw new OperatorError(`${file} exists already. Choose another name, or say --overwrite.`)
  }
  const toLines = (items: unknown[]) => items.map((item) => JSON.stringify(item)).join(',\n')
  const text = `{"books":[\n${toLines(books)}\n],\n"accounts":[\n${toLines(uploadsOf(accounts))}\n]}\n`
  const tempFile = `${file}.part`
  try {
    writePrivateFile(tempFile, text)
    renameSync(tempFile, file)
    fsyncDirectory(dirname(file))
  } catch (error) {
    // It holds people's passwords.
    rmSync(tempFile, { force: true })
    throw new OperatorError(`${file} cannot be written: ${(error as Error).message}`)
  }
}

function writePrivateFile(file: string, text: string): void {
  rmSync(file, { force: true })
  const handle = openSync(file, 'wx', 0o600)
  try {
    writeFileSync(handle, text)
  } finally {
    closeSync(handle)
  }
  fsyncFile(file)
}

/**
 * Reads such a file, or the one in which Firebase hands out its accounts. Throws an `OperatorError` that names what is
 * wrong by its place, and repeats nothing of the content.
 */
export function readExportFile(file: string): ExportContent & { leftOut: LeftOut[] } {
  const { books = [], accounts, users } = parseFile(file)
  const uploads = accounts ?? (users ? [{ users }] : [])
  const isRegister = accounts !== undefined || users !== undefined
  if (!isRegister || !Array.isArray(books) || !Array.isArray(uploads)) throw invalidFileError(file)
  const { problems, ...read } = readUploads(uploads)
  const invalid = [...findInvalidEmployees(books), ...problems]
  if (invalid.length > 0) {
    throw new OperatorError(
      `${file} was not taken, and nothing was changed. Not valid: ${formatList(invalid)}.`,
    )
  }
  return { books: books.map(({ id, ...fields }) => ({ id, ...pickFields(fields) })), ...read }
}

// biome-ignore lint/suspicious/noExplicitAny: whatever a file holds, of which three parts are looked at
function parseFile(file: string): any {
  const text = readText(file)
  try {
    return Object(JSON.parse(text))
  } catch {
    // JSON.parse's own words repeat a piece of the text, which may be a password.
    throw invalidFileError(file)
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function invalidFileError(file: string) {
  return new OperatorError(`${file} is no register: "staffbook export" writes one.`)
}

const idRegExp = new RegExp(idPattern)

/** Where records are not as a register takes them: an id, a field, or one too many. */
export function findInvalidEmployees(books: unknown[]): string[] {
  const ids = new Set<unknown>()
  return books.flatMap((book, i) => {
    const { id, ...fields } = Object(book)
    const isId = typeof id === 'string' && idRegExp.test(id) && !ids.has(id)
    ids.add(id)
    const names = Object.keys(pickFields(fields))
    const unknownField = Object.keys(fields).find((name) => !names.includes(name))
    const wrong = isId ? (findInvalidField(fields as EmployeeFields) ?? unknownField) : 'id'
    return wrong ? [`books/${i}/${wrong}`] : []
  })
}
