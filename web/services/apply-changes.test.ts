import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Employee } from '../../contract/employees.ts'
import type { Change } from '../../contract/protocol.ts'
import { applyChanges } from './apply-changes.ts'

const person = (id: string, eName = id): Employee => ({
  id,
  eName,
  email: `${id}@example.com`,
  password: 'p',
})
const book = ['a', 'b', 'c'].map((id) => person(id))
const ids = (employees: Employee[]) => employees.map(({ id }) => id).join('')

test('a saved record that is new stands behind the one it is after', () => {
  const saved = (after: string | null): Change => ({ type: 'saved', document: person('x'), after })
  expect(ids(applyChanges(book, [saved('b')]))).toBe('abxc')
  expect(ids(applyChanges(book, [saved(null)]))).toBe('xabc')
  expect(ids(applyChanges(book, [saved('unknown')]))).toBe('abcx')
})

test('a saved record that is known keeps its place', () => {
  const changed = applyChanges(book, [{ type: 'saved', document: person('b', 'Bea'), after: 'c' }])
  expect(changed.map(({ eName }) => eName)).toEqual(['a', 'Bea', 'c'])
})

test('the echo of what is there already gives back the very same list', () => {
  expect(applyChanges(book, [{ type: 'saved', document: person('b'), after: 'a' }])).toBe(book)
  expect(applyChanges(book, [{ type: 'removed', id: 'gone' }])).toBe(book)
})

test('any changes, told twice, come to what they come to once; no id is there twice', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e')
  const change = fc.oneof(
    fc.record({ type: fc.constant('removed' as const), id }),
    fc.record({
      type: fc.constant('saved' as const),
      document: fc.tuple(id, fc.string()).map(([id, name]) => person(id, name)),
      after: fc.option(id),
    }),
  )
  fc.assert(
    fc.property(change, (change) => {
      const once = applyChanges(book, [change])
      expect(applyChanges(once, [change])).toEqual(once)
    }),
  )
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const after = applyChanges(book, changes)
      expect(new Set(after.map(({ id }) => id)).size).toBe(after.length)
    }),
  )
})
