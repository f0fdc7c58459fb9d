import { describe, expect, test } from 'vitest'
import { newKey } from '../web/backends/idempotency-key.ts'
import { orderedId, partsOf, recordId, slicesOf } from './firestore.ts'
import { idPattern } from './protocol.ts'

const uid = 'JkY2vZ0bQxXn1sT8aLw3mUe5rGd7'

describe('7 the id of a record', () => {
  test('the same key and the same person: the same id', () => {
    const key = newKey()
    expect(recordId(key, uid)).toBe(recordId(key, uid))
  })

  test('another key, or another person: another id', () => {
    const key = newKey()
    expect(recordId(newKey(), uid)).not.toBe(recordId(key, uid))
    expect(recordId(key, 'somebody-else')).not.toBe(recordId(key, uid))
  })

  test('a later key, and a later row of a batch: a greater id', () => {
    const earlier = newKey(1_700_000_000_000)
    const ids = [recordId(earlier, uid, 0), recordId(earlier, uid, 15), recordId(earlier, uid, 16)]
    ids.push(recordId(earlier, uid, 99_999), recordId(newKey(1_700_000_000_001), uid))
    expect(ids.toSorted()).toEqual(ids)
  })

  test('it is an id for the other backends too, whatever the account’s id looks like', () => {
    for (const person of [uid, '9f0c7a1e-6a52-4a55-9d9c-8b1c7e5a1d11', 'a/b\\c#1']) {
      expect(recordId(newKey(), person, 99_999)).toMatch(new RegExp(idPattern))
      expect(recordId(newKey(), person, 99_999)).toMatch(orderedId)
      expect(recordId(newKey(), person)).toMatch(orderedId)
    }
  })
})

describe('parts that Firestore takes at once', () => {
  const employee = (password: string) => ({ id: 'a', eName: '', email: '', password })

  test('hold at most 400 records and 500,000 characters, each record once and in order', () => {
    const small = Array.from({ length: 801 }, (_, i) => employee(String(i)))
    expect(partsOf(small).map(({ length }) => length)).toEqual([400, 400, 1])
    expect(partsOf(small).flat()).toEqual(small)
    const large = Array.from({ length: 51 }, () => employee('x'.repeat(10_000)))
    expect(partsOf(large).map(({ length }) => length)).toEqual([50, 1])
    expect(partsOf([])).toEqual([])
  })

  test('slices have so many items each, and the last what is left', () => {
    expect(slicesOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
    expect(slicesOf([], 2)).toEqual([])
  })
})
