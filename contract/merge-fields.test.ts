import { expect, test } from 'vitest'
import { mergeFields } from './merge-fields.ts'

const seen = { eName: 'Ada Lovelace', email: 'ada@example.com', password: 'analytical engine' }

test.each([
  [
    'only the editor has changed stays as the editor wrote it',
    {},
    { eName: 'Ada King' },
    { eName: 'Ada King' },
  ],
  ['only somebody else has changed keeps the current value', { password: 'new' }, {}, { password: 'new' }],
  [
    'both have changed to the same value has that value',
    { eName: 'Ada' },
    { eName: 'Ada' },
    { eName: 'Ada' },
  ],
])('a field that %s', (_, theirs, mine, merged) => {
  expect(mergeFields({ ...seen, ...theirs }, seen, { ...seen, ...mine })).toEqual({
    fields: { ...seen, ...merged },
    conflicts: [],
  })
})

test('different fields that two people have changed are merged', () => {
  const current = { ...seen, password: 'new' }
  expect(mergeFields(current, seen, { ...seen, eName: 'Ada King' })).toEqual({
    fields: { eName: 'Ada King', email: 'ada@example.com', password: 'new' },
    conflicts: [],
  })
})

test('a field that both have changed differently is a conflict and keeps the current value', () => {
  const current = { eName: 'Ada Byron', email: 'byron@example.com', password: 'new' }
  const fields = { eName: 'Ada King', email: 'ada@example.com', password: 'mine' }
  expect(mergeFields(current, seen, fields)).toEqual({ fields: current, conflicts: ['eName', 'password'] })
})

test('a repeated update is no conflict with itself', () => {
  const fields = { ...seen, eName: 'Ada King' }
  const { fields: merged } = mergeFields({ ...seen, email: 'new@example.com' }, seen, fields)
  expect(mergeFields(merged, seen, fields)).toEqual({ fields: merged, conflicts: [] })
})
