import { expect, test } from 'vitest'
import { ada, renamed } from '../tests/support/people.ts'
import { decideOutcome } from './batches.ts'

const seen = ada
const edited = renamed('Ada King')
const changed = { ...seen, password: 'difference engine' }

test('a batch writes only if the record is unchanged, and a repeated write counts as done', () => {
  expect(decideOutcome(seen, seen, edited)).toBe('write')
  expect(decideOutcome(edited, seen, edited)).toBe('done')
  expect(decideOutcome(changed, seen, edited)).toBe('conflict')
  expect(decideOutcome(undefined, seen, edited)).toBe('conflict')
})

test('a batch removes only unchanged records, and a repeated removal counts as done', () => {
  expect(decideOutcome(seen, seen, null)).toBe('write')
  expect(decideOutcome(undefined, seen, null)).toBe('done')
  expect(decideOutcome(changed, seen, null)).toBe('conflict')
})
