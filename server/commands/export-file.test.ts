import { spawnSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFolder } from '../../tests/support/cleanup.ts'
import { grace, renamed } from '../../tests/support/people.ts'
import { formatPhc, hasPassword } from '../auth/password-hash.ts'
import { readExportFile, writeExportFile } from './export-file.ts'

const good = { id: 'a', ...grace }
const secret = 'do not repeat me'
const salt = Buffer.alloc(16, 251)
const hash = Buffer.alloc(32, 255)
const ada = {
  uid: 'ada',
  email: 'ada@Example.com',
  createdAt: '2026-01-02T03:04:05.678Z',
  passwordHash: formatPhc(salt, hash, { memory: 64, passes: 1 }),
}
const adaAccount = { ...ada, emailKey: 'ada@example.com' }

describe('export file', () => {
  let folder: string
  let file: string

  beforeEach(() => {
    folder = createFolder()
    file = join(folder, 'register.json')
  })

  it('leaves no partial file behind if writing fails, because it contains passwords', () => {
    mkdirSync(join(file, 'in the way'), { recursive: true })
    expect(() => writeExportFile(file, { books: [good], accounts: [] }, true)).toThrow(/cannot be written/)
    expect(readdirSync(folder)).toEqual(['register.json'])
  })

  it('does not take the place of a link or a pipe, as /dev/stdout is one', () => {
    symlinkSync('/dev/null', file)
    const pipe = join(folder, 'pipe')
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
    for (const target of [file, pipe])
      expect(() => writeExportFile(target, { books: [good], accounts: [] }, true)).toThrow(
        /cannot be written: it is a link, pipe or device/,
      )
    expect([lstatSync(file).isSymbolicLink(), lstatSync(pipe).isFIFO()]).toEqual([true, true])
    expect(readdirSync(folder).sort()).toEqual(['pipe', 'register.json'])
  })

  it('contains every record unchanged and in order, one per line, readable by its owner only', () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 })
    const book = fc
      .tuple(fc.uuid(), text, text)
      .map(([id, name, password]) => ({ id, ...renamed(name), password }))
    const books = fc.uniqueArray(book, { selector: ({ id }) => id })
    fc.assert(
      fc.property(books, (books) => {
        writeExportFile(file, { books, accounts: [] }, true)
        expect(readExportFile(file)).toEqual({ books, accounts: [] })
        const lines = readFileSync(file, 'utf8').split('\n')
        expect(lines.filter((line) => line.includes('"email"'))).toHaveLength(books.length)
      }),
      { numRuns: 20 },
    )
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('reads the emails of accounts as they are stored at sign-up', () => {
    const emails = [' ada@exam\ufe0f\u034fple.com\u200b', 'ada@ex\u0430mple.com']
    const written = emails.map((email, i) => ({ ...ada, uid: `${i}`, email }))
    writeFileSync(file, JSON.stringify({ books: [], accounts: written }))
    expect(readExportFile(file).accounts).toMatchObject([
      { email: 'ada@example.com', emailKey: 'ada@example.com' },
      { email: 'ada@xn--exmple-4nf.com', emailKey: 'ada@xn--exmple-4nf.com' },
    ])
  })

  it('stores accounts as plain JSON with their hashes, and reads them back', () => {
    writeExportFile(file, { books: [], accounts: [adaAccount] })
    expect(JSON.parse(readFileSync(file, 'utf8')).accounts).toEqual([ada])
    expect(readExportFile(file).accounts).toEqual([adaAccount])
  })

  it('reads the account groups that older versions wrote', () => {
    const createdAt = String(Date.parse(ada.createdAt))
    const user = { localId: 'ada', email: ada.email, createdAt }
    const password = { passwordHash: hash.toString('base64'), salt: salt.toString('base64') }
    const groups = [
      {
        hashAlgorithm: 'ARGON2',
        argon2Parameters: { hashType: 'ARGON2_ID', iterations: 1, memoryCostKib: 64 },
        users: [{ ...user, ...password }],
      },
      { users: [{ ...user, localId: 'mira' }] },
    ]
    writeFileSync(file, JSON.stringify({ books: [], accounts: groups }))
    const [first, second] = readExportFile(file).accounts
    expect(first).toEqual(adaAccount)
    expect(second).toMatchObject({ ...adaAccount, uid: 'mira', passwordHash: expect.any(String) })
    expect(hasPassword(second?.passwordHash ?? '')).toBe(false)
  })

  it('is read with a byte order mark, as Windows writes it, and refused in another encoding than UTF-8', () => {
    const content = Buffer.from(JSON.stringify({ books: [{ ...good, password: 'Zoë' }], accounts: [] }))
    writeFileSync(file, Buffer.concat([Buffer.from('\ufeff'), content]))
    expect(readExportFile(file).books[0]?.password).toBe('Zoë')
    for (const encoding of ['latin1', 'utf16le'] as const) {
      writeFileSync(file, Buffer.from(content.toString(), encoding))
      expect(() => readExportFile(file)).toThrow('is not in UTF-8')
    }
  })

  const withCost = (cost: string) => ada.passwordHash.replace('m=64,t=1', cost)
  const wrong: [place: string, content: unknown][] = [
    ['is not a file that', `{"books": [{"password": "${secret}`],
    ['is not a file that', { employees: [] }],
    ['is not a file that', []],
    ['is not a file that', null],
    ['is not a file that', { books: secret, accounts: [] }],
    ['is not a file that', { books: [], accounts: secret }],
    ['books/1/email', { books: [good, { ...good, id: 'b', email: secret }], accounts: [] }],
    ['books/1/id', { books: [good, good], accounts: [] }],
    ['books/0/id', { books: [{ ...good, id: `a/${secret}` }], accounts: [] }],
    ['books/0/phone', { books: [{ ...good, phone: secret }], accounts: [] }],
    ['books/0/an unknown field', { books: [{ ...good, '\x1b[2J': '' }], accounts: [] }],
    ['books/0/an unknown field', { books: [{ ...good, [secret]: '' }], accounts: [] }],
    ['books/0/password', { books: [{ ...good, password: undefined }], accounts: [] }],
    ['books/1/id', { books: [good, null], accounts: [] }],
    ['accounts/0/email', { accounts: [{ ...ada, email: secret }] }],
    ['accounts/0/uid', { accounts: [{ email: 'a@b.c' }] }],
    ['accounts/0/uid', { accounts: [{ ...ada, uid: 'u\0' }] }],
    ['accounts/0/uid', { accounts: [{ ...ada, uid: '..' }] }],
    ['accounts/0/createdAt', { accounts: [{ ...ada, createdAt: secret }] }],
    ['accounts/0/createdAt', { accounts: [{ users: [{ localId: 'u', email: 'a@b.c', createdAt: 'x' }] }] }],
    ...[
      '$argon2id$v=19$m=64,t=1,p=1$c2FsdA$c2hvcnQ',
      withCost('m=65537,t=1'),
      withCost('m=64,t=11'),
      formatPhc(Buffer.alloc(65), hash, { memory: 64, passes: 1 }),
    ].map((passwordHash): [string, unknown] => [
      'accounts/0/passwordHash',
      { accounts: [{ ...ada, passwordHash }] },
    ]),
    ...['passwordHash', 'salt', 'createdAt'].map((name): [string, unknown] => {
      const user = { localId: 'u', email: 'a@b.c', createdAt: '1', passwordHash: 'AAAA', salt: 'AAAA' }
      return ['accounts/0/', { accounts: [{ users: [{ ...user, [name]: { toString: 1, valueOf: 1 } }] }] }]
    }),
    [
      'accounts/0/passwordHash',
      {
        accounts: [
          {
            argon2Parameters: { memoryCostKib: { toString: 1 }, iterations: 1 },
            users: [{ localId: 'u', email: 'a@b.c', createdAt: '1', passwordHash: 'AAAA', salt: 'AAAA' }],
          },
        ],
      },
    ],
    ['accounts/0/uid', { accounts: [{}] }],
    ['is not a file that', { users: [{ localId: 'u', email: 'a@b.c' }] }],
    ['and 5 more', { books: Array.from({ length: 15 }, () => secret), accounts: [] }],
  ]
  it.each(wrong)('names invalid content by its position (%s) without repeating it', (place, content) => {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    expect(() => readExportFile(file)).toThrow(place)
    expect(() => readExportFile(file)).toThrow(new RegExp(`^(?![\\s\\S]*${secret})`))
  })
})
