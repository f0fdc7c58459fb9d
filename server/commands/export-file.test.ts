import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readExportFile, writeExportFile } from './export-file.ts'

const grace = { eName: 'Grace Hopper', email: 'grace@example.com', password: 'nanoseconds' }
const good = { id: 'a', ...grace }
const secret = 'do not repeat me'

describe('moving a register: the file', () => {
  let folder: string
  let file: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'staffbook-file-'))
    file = join(folder, 'register.json')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('leaves nothing behind where it cannot be written, for it holds passwords', () => {
    mkdirSync(join(file, 'in the way'), { recursive: true })
    expect(() => writeExportFile(file, { books: [good], accounts: [] }, true)).toThrow(/cannot be written/)
    expect(readdirSync(folder)).toEqual(['register.json'])
  })

  it('holds every record as it is, in its order, a record a line, for its owner alone', () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 })
    const book = fc.record({ id: fc.uuid(), eName: text, email: fc.constant('a@b.c'), password: text })
    const books = fc.uniqueArray(book, { selector: ({ id }) => id })
    fc.assert(
      fc.property(books, (books) => {
        writeExportFile(file, { books, accounts: [] }, true)
        expect(readExportFile(file)).toEqual({ books, accounts: [], leftOut: [] })
        expect(
          readFileSync(file, 'utf8')
            .split('\n')
            .filter((line) => line.includes('"eName"')),
        ).toHaveLength(books.length)
      }),
      { numRuns: 50 },
    )
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  const wrong: [place: string, content: unknown][] = [
    ['is no register', `{"books": [{"password": "${secret}`],
    ['is no register', { employees: [] }],
    ['is no register', []],
    ['is no register', null],
    ['is no register', { books: secret, accounts: [] }],
    ['is no register', { books: [], accounts: secret }],
    ['books/1/email', { books: [good, { ...good, id: 'b', email: secret }], accounts: [] }],
    ['books/1/id', { books: [good, good], accounts: [] }],
    ['books/0/id', { books: [{ ...good, id: `a/${secret}` }], accounts: [] }],
    ['books/0/phone', { books: [{ ...good, phone: secret }], accounts: [] }],
    ['books/0/password', { books: [{ id: 'a', eName: 'A', email: 'a@b.c' }], accounts: [] }],
    ['books/1/id', { books: [good, null], accounts: [] }],
    ['accounts/0/users/0/email', { accounts: [{ users: [{ localId: 'u', email: secret }] }] }],
    ['accounts/0/users/0/localId', { accounts: [{ users: [{ email: 'a@b.c' }] }] }],
    ['accounts/0/users/0/localId', { accounts: [{ users: [{ localId: 'u\0', email: 'a@b.c' }] }] }],
    [
      'accounts/0/users/0/createdAt',
      { accounts: [{ users: [{ localId: 'u', email: 'a@b.c', createdAt: 'x' }] }] },
    ],
    ['accounts/0/users', { accounts: [{}] }],
    ['and 5 more', { books: Array.from({ length: 15 }, () => secret), accounts: [] }],
  ]
  it.each(wrong)('names what is not valid by its place, %s, and repeats nothing of it', (place, content) => {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    expect(() => readExportFile(file)).toThrow(place)
    expect(() => readExportFile(file)).toThrow(new RegExp(`^(?![\\s\\S]*${secret})`))
  })
})
