import { describe, expect, it } from 'vitest'
import { createUnusableHash, formatPhc, recommendedHashCost } from '../auth/password-hash.ts'
import type { Account } from '../storage/storage.ts'
import { readUploads, uploadsOf } from './export-accounts.ts'

function account(name: string, passwordHash: string): Account {
  const email = `${name}@Example.com`
  return {
    uid: name,
    email,
    emailKey: email.toLowerCase(),
    passwordHash,
    createdAt: '2026-01-02T03:04:05.678Z',
  }
}

const bytes = (length: number, value: number) => Buffer.alloc(length, value)
const accounts = [
  account('ada', formatPhc(bytes(16, 251), bytes(32, 255), recommendedHashCost)),
  account('grace', formatPhc(bytes(16, 1), bytes(32, 2), { memory: 64, passes: 1 })),
  account('mira', createUnusableHash()),
]

describe('moving a register: accounts as Firebase imports them', () => {
  it('an upload for each cost, with the parameters by which Firebase knows argon2id', () => {
    const [first, second, third] = uploadsOf(accounts)
    expect(first).toEqual({
      hashAlgorithm: 'ARGON2',
      argon2Parameters: {
        hashType: 'ARGON2_ID',
        version: 'VERSION_13',
        hashLengthBytes: 32,
        parallelism: 1,
        iterations: 2,
        memoryCostKib: 19_456,
      },
      users: [
        {
          localId: 'ada',
          email: 'ada@Example.com',
          createdAt: String(Date.UTC(2026, 0, 2, 3, 4, 5, 678)),
          passwordHash: bytes(32, 255).toString('base64'),
          salt: bytes(16, 251).toString('base64'),
        },
      ],
    })
    expect(second?.argon2Parameters).toMatchObject({ iterations: 1, memoryCostKib: 64 })
    expect(Object.keys(third ?? {})).toEqual(['users'])
    expect(third?.users[0]).not.toHaveProperty('passwordHash')
  })

  it('a thousand at most in one upload', () => {
    const many = Array.from({ length: 2_001 }, (_, i) =>
      account(`person-${i}`, accounts[0]?.passwordHash ?? ''),
    )
    expect(uploadsOf(many).map(({ users }) => users.length)).toEqual([1000, 1000, 1])
  })

  it('read again, they are the same accounts', () => {
    const { accounts: read, leftOut, problems } = readUploads(JSON.parse(JSON.stringify(uploadsOf(accounts))))
    expect([leftOut, problems]).toEqual([[], []])
    expect(read.slice(0, 2)).toEqual(accounts.slice(0, 2))
    expect(uploadsOf(read)).toEqual(uploadsOf(accounts))
  })

  const foreign: [string, { hashAlgorithm?: string; argon2Parameters?: object }][] = [
    ['another algorithm', { hashAlgorithm: 'SCRYPT' }],
    ['more lanes', { argon2Parameters: { parallelism: 2 } }],
    ['a cost that is none', { argon2Parameters: { memoryCostKib: 2 ** 40 } }],
    ['a secret of its own', { argon2Parameters: { associatedData: 'eA==' } }],
  ]
  it.each(foreign)('a hash with %s is no password here', (_, change) => {
    const [upload] = uploadsOf(accounts)
    const changed = {
      ...upload,
      ...change,
      argon2Parameters: { ...upload?.argon2Parameters, ...change.argon2Parameters },
    }
    const { accounts: read, problems } = readUploads([changed])
    expect(problems).toEqual([])
    expect(uploadsOf(read)[0]?.users[0]).not.toHaveProperty('passwordHash')
  })

  it('a hash that was cut short is refused, by its place', () => {
    const [upload] = uploadsOf(accounts)
    const users = upload?.users.map((user) => ({ ...user, passwordHash: 'c2hvcnQ=' }))
    expect(readUploads([{ ...upload, users }]).problems).toEqual(['accounts/0/users/0/passwordHash'])
  })
})
