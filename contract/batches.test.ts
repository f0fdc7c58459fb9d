import { expect, test } from 'vitest'
import { decideOutcome } from './batches.ts'

const seen = { eName: 'Ada Lovelace', email: 'ada@example.com', password: 'analytical engine' }
const wanted = { ...seen, eName: 'Ada King' }
const theirs = { ...seen, password: 'difference engine' }

test('a batch writes only where the record is as it was seen, and what is done already is done', () => {
  expect(decideOutcome(seen, seen, wanted)).toBe('write')
  expect(decideOutcome(wanted, seen, wanted)).toBe('done')
  expect(decideOutcome(theirs, seen, wanted)).toBe('conflict')
  expect(decideOutcome(undefined, seen, wanted)).toBe('conflict')
})

test('a batch removes only what is as it was seen, and what is gone already is done', () => {
  expect(decideOutcome(seen, seen, null)).toBe('write')
  expect(decideOutcome(undefined, seen, null)).toBe('done')
  expect(decideOutcome(theirs, seen, null)).toBe('conflict')
})
