import { describe, expect, test } from 'vitest'
import { newIdempotencyKey } from '../web/backends/idempotency-key.ts'
import { emptyFields, idPattern } from './employees.ts'
import { createRecordId, splitIntoChunks, splitIntoParts, toImportId } from './firestore.ts'

/** Sorts in order of creation. */
const orderedIdPattern = /^[0-9a-f]{32}([0-9a-f]{5})?-[A-Za-z0-9_-]{1,64}$/

const uid = 'JkY2vZ0bQxXn1sT8aLw3mUe5rGd7'

describe('7 the id of a record', () => {
  test('is the same for the same key and account, and differs for another one', () => {
    const key = newIdempotencyKey()
    expect(createRecordId(key, uid)).toBe(createRecordId(key, uid))
    expect(createRecordId(newIdempotencyKey(), uid)).not.toBe(createRecordId(key, uid))
    expect(createRecordId(key, 'somebody-else')).not.toBe(createRecordId(key, uid))
  })

  test('increases with the time of the key and the row of a batch', () => {
    const [earlier, later] = [newIdempotencyKey(), newIdempotencyKey()]
    const ids = [0, 15, 16, 99_999].map((row) => createRecordId(earlier, uid, row))
    ids.push(createRecordId(later, uid))
    expect(ids.toSorted()).toEqual(ids)
  })

  test('is valid for the other backends, for any account id', () => {
    for (const account of [uid, '9f0c7a1e-6a52-4a55-9d9c-8b1c7e5a1d11', 'a/b\\c#1']) {
      expect(createRecordId(newIdempotencyKey(), account, 99_999)).toMatch(new RegExp(idPattern))
      expect(createRecordId(newIdempotencyKey(), account, 99_999)).toMatch(orderedIdPattern)
      expect(createRecordId(newIdempotencyKey(), account)).toMatch(orderedIdPattern)
    }
  })
})

describe('requests to Firestore', () => {
  const employee = (password: string) => ({ id: 'a', ...emptyFields, password })

  test('contain at most 6 groups and 500,000 characters, each record once and in order', () => {
    const small = Array.from({ length: 13 }, (_, i) => [employee(String(i))])
    expect(splitIntoParts(small).map(({ length }) => length)).toEqual([6, 6, 1])
    expect(splitIntoParts(small).flat()).toEqual(small)
    const large = Array.from({ length: 5 }, () =>
      Array.from({ length: 16 }, () => employee('x'.repeat(10_000))),
    )
    expect(splitIntoParts(large).map(({ length }) => length)).toEqual([3, 2])
    expect(splitIntoParts([])).toEqual([])
  })

  test('an import has one entry for 16 records, whose id follows from theirs', () => {
    const key = newIdempotencyKey()
    const entries = [0, 15, 16, 99_999].map((row) => toImportId(createRecordId(key, uid, row)))
    expect(new Set(entries).size).toBe(3)
    expect(toImportId(createRecordId(key, uid))).toBeUndefined()
    expect(toImportId('Zk3vQx9LmN0aBcDeF7Gh')).toBeUndefined()
  })

  test('splitIntoChunks returns chunks of the given size, the last one with the rest', () => {
    expect(splitIntoChunks([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
    expect(splitIntoChunks([], 2)).toEqual([])
  })
})
