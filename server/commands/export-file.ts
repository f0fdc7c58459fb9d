import { lstatSync, writeFileSync } from 'node:fs'
import { isAccountEmail, toEmailKey } from '../../contract/accounts.ts'
import {
  cleanEmail,
  completeFields,
  type Employee,
  type EmployeeFields,
  findInvalidField,
  idPattern,
  isFieldName,
} from '../../contract/employees.ts'
import { OperatorError } from '../app-error.ts'
import { createUnusableHash, formatPhc, type HashCost, parsePhc } from '../auth/password-hash.ts'
import { readAtMost, replaceDurably } from '../storage/files.ts'
import type { Account } from '../storage/storage.ts'
import { removeAtEnd } from '../storage/temporary/remove-at-end.ts'
import { formatList } from './command.ts'

export interface ExportContent {
  /** Sorted by creation. */
  books: Employee[]
  accounts: Account[]
}

/** Writes records and accounts as one JSON file, one item per line, as `writePrivateFile` does. */
export function writeExportFile(file: string, { books, accounts }: ExportContent, overwrite = false): void {
  const completeBooks = books.map(({ id, ...fields }) => ({ id, ...completeFields(fields) }))
  const toLines = (items: unknown[]) => items.map((item) => JSON.stringify(item)).join(',\n')
  const plainAccounts = accounts.map(({ emailKey: _, ...account }) => account)
  const text = `{"books":[\n${toLines(completeBooks)}\n],\n"accounts":[\n${toLines(plainAccounts)}\n]}\n`
  writePrivateFile(file, text, overwrite)
}

/**
 * Writes a file that only its owner can read. It gets its name once it is complete and synced. Throws an `OperatorError` if the
 * file exists and `overwrite` is not set.
 */
export function writePrivateFile(file: string, text: string, overwrite = false): void {
  const found = lstatSync(file, { throwIfNoEntry: false })
  // /dev/stdout would become a file, with all passwords, for every program of this machine.
  if (found && !found.isFile() && !found.isDirectory())
    throw new OperatorError(`${file} cannot be written: it is a link, pipe or device, not a file.`)
  if (found && !overwrite)
    throw new OperatorError(`${file} already exists. Choose another name, or pass --overwrite.`)
  // Another process may be at work on the same file.
  const tempFile = `${file}.${process.pid}.part`
  // It contains passwords.
  using _temporary = removeAtEnd(tempFile)
  try {
    writeFileSync(tempFile, text, { flag: 'wx', mode: 0o600 })
    replaceDurably(tempFile, file)
  } catch (error) {
    throw new OperatorError(`${file} cannot be written: ${(error as Error).message}`)
  }
}

/**
 * Reads an export file. Throws an `OperatorError` that names invalid items by their position and never repeats content,
 * which may be a password.
 */
export function readExportFile(file: string): ExportContent {
  const { books = [], accounts } = parseFile(file)
  if (!Array.isArray(books) || !Array.isArray(accounts)) throw invalidFileError(file)
  const plainAccounts = accounts.flatMap(readOldFormat)
  const invalid = [...findInvalidEmployees(books), ...plainAccounts.flatMap(findInvalidAccountField)]
  if (invalid.length > 0) {
    throw new OperatorError(`${file} was not imported; nothing was changed. Invalid: ${formatList(invalid)}.`)
  }
  return {
    books,
    accounts: plainAccounts.map(({ uid, email, createdAt, passwordHash }) => {
      return { uid, email: cleanEmail(email), emailKey: toEmailKey(email), passwordHash, createdAt }
    }),
  }
}

/** More cannot be decoded. */
const maxExportBytes = 2 ** 31 - 1

// biome-ignore lint/suspicious/noExplicitAny: the file may contain anything; two fields are validated by the caller
function parseFile(file: string): any {
  try {
    // Without `fatal`, a password would silently become another one.
    return Object(
      JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(readAtMost(file, maxExportBytes))),
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new OperatorError(`${file} is not in UTF-8: another program has changed it. Export it again.`)
    // The message of JSON.parse repeats a part of the text, which may be a password.
    if (error instanceof SyntaxError) throw invalidFileError(file)
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function invalidFileError(file: string) {
  return new OperatorError(`${file} is not a file that "staffbook export" wrote.`)
}

const idRegExp = new RegExp(idPattern)

/** Whatever else the file has in place of a name could change the terminal, or be a password. */
const toPlace = (name: string | undefined) =>
  name === undefined || /^[A-Za-z]{1,20}$/.test(name) ? name : 'an unknown field'

/** The positions of invalid records: an id, an invalid field or an unknown one. */
export function findInvalidEmployees(books: unknown[]): string[] {
  const ids = new Set<unknown>()
  return books.flatMap((book, i) => {
    const { id, ...fields } = Object(book)
    const isId = typeof id === 'string' && idRegExp.test(id) && !ids.has(id)
    ids.add(id)
    const unknownName = Object.keys(fields).find((name) => !isFieldName(name))
    const wrong = isId ? (findInvalidField(fields as EmployeeFields) ?? toPlace(unknownName)) : 'id'
    return wrong ? [`books/${i}/${wrong}`] : []
  })
}

/** 128 characters: account ids imported from Firebase may be that long. Addresses can't hold the id `.` or `..`. */
const uidRegExp = /^(?!\.{1,2}$)\P{Cc}{1,128}$/u

function findInvalidAccountField(account: unknown, index: number): string[] {
  const { uid, email, createdAt, passwordHash } = Object(account)
  const isValid = {
    uid: typeof uid === 'string' && uidRegExp.test(uid) && uid.isWellFormed(),
    email: typeof email === 'string' && isAccountEmail(email),
    createdAt: typeof createdAt === 'string' && new Date(createdAt).toJSON() === createdAt,
    passwordHash: typeof passwordHash === 'string' && isUsableHash(passwordHash),
  }
  const wrong = Object.entries(isValid).find(([, valid]) => !valid)?.[0]
  return wrong ? [`accounts/${index}/${wrong}`] : []
}

/** KiB and passes. Each sign-in takes as much, and costs that differ much tell known accounts from unknown ones. */
const maxHashCost: HashCost = { memory: 65_536, passes: 10 }

/** In bytes. Each sign-in reads it from the database and hashes it. */
const maxSaltLength = 64

/** Whether the server can verify a password against a hash, at an acceptable cost. */
function isUsableHash(passwordHash: string): boolean {
  try {
    const { cost, salt, hash } = parsePhc(passwordHash)
    const isAffordable = cost.memory <= maxHashCost.memory && cost.passes <= maxHashCost.passes
    const isSalt = salt.length >= 8 && salt.length <= maxSaltLength
    return isAffordable && cost.memory >= 8 && cost.passes >= 1 && isSalt && hash.length === 32
  } catch {
    return false
  }
}

/** Not of an object, which may have no text: `{"toString": 1}`. */
const toText = (value: unknown) => (typeof value === 'object' ? '' : String(value))

/**
 * Older versions exported accounts in groups of equal hash cost, in the format of Firebase's import. Accounts without a
 * password had no hash.
 */
// biome-ignore lint/suspicious/noExplicitAny: the result is validated by the caller
function readOldFormat(item: unknown): any[] {
  const { users, argon2Parameters } = Object(item)
  if (!Array.isArray(users)) return [item]
  const { memoryCostKib: memory, iterations: passes } = Object(argon2Parameters)
  const decode = (base64: unknown) => Buffer.from(toText(base64), 'base64')
  return users.map((user) => {
    const { localId: uid, email, createdAt, passwordHash: hash, salt } = Object(user)
    const passwordHash = hash
      ? formatPhc(decode(salt), decode(hash), {
          memory: Number(toText(memory)),
          passes: Number(toText(passes)),
        })
      : createUnusableHash()
    return { uid, email, createdAt: new Date(Number(toText(createdAt))).toJSON(), passwordHash }
  })
}
