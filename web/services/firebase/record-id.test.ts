import { describe, expect, test } from 'vitest'
import { idPattern } from '../../../contract/protocol.ts'
import { newKey } from '../key.ts'
import { recordId } from './record-id.ts'

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
    }
  })
})
