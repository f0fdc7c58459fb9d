import { expect, test } from 'vitest'
import { fateOf } from './batches.ts'

const seen = { eName: 'Ada Lovelace', email: 'ada@example.com', password: 'analytical engine' }
const wanted = { ...seen, eName: 'Ada King' }
const theirs = { ...seen, password: 'difference engine' }

test('a batch writes only where the record is as it was seen, and what is done already is done', () => {
  expect(fateOf(seen, seen, wanted)).toBe('write')
  expect(fateOf(wanted, seen, wanted)).toBe('done')
  expect(fateOf(theirs, seen, wanted)).toBe('kept')
  expect(fateOf(undefined, seen, wanted)).toBe('kept')
})

test('a batch removes only what is as it was seen, and what is gone already is done', () => {
  expect(fateOf(seen, seen, null)).toBe('write')
  expect(fateOf(undefined, seen, null)).toBe('done')
  expect(fateOf(theirs, seen, null)).toBe('kept')
})
