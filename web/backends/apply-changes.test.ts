import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Employee } from '../../contract/employees.ts'
import type { Change } from '../../contract/protocol.ts'
import { named, nameOf } from '../../tests/support/people.ts'
import { anyPlace, applyChanges } from './apply-changes.ts'

const person = (id: string, name = id): Employee => ({ id, ...named(name) })
const book = ['a', 'b', 'c'].map((id) => person(id))
const ids = (employees: Employee[]) => employees.map(({ id }) => id).join('')

test('inserts a new record after its predecessor', () => {
  const saved = (after: string | null): Change => ({ type: 'saved', document: person('x'), after })
  expect(ids(applyChanges(book, [saved('b')]))).toBe('abxc')
  expect(ids(applyChanges(book, [saved(null)]))).toBe('xabc')
  expect(ids(applyChanges(book, [saved('unknown')]))).toBe('abcx')
})

test.each([
  ['a', ['a', 'Bea', 'c']],
  ['c', ['a', 'c', 'Bea']],
  [null, ['Bea', 'a', 'c']],
  ['unknown', ['a', 'Bea', 'c']],
  [anyPlace, ['a', 'Bea', 'c']],
  ['b', ['a', 'Bea', 'c']],
])('an existing record stands after %s, or stays where it is', (after, names) => {
  const change: Change = { type: 'saved', document: person('b', 'Bea'), after }
  expect(applyChanges(book, [change]).map(nameOf)).toEqual(names)
  expect(applyChanges(book, Array(5).fill(change)).map(nameOf)).toEqual(names)
  const moved: Change = { ...change, document: person('b') }
  expect(applyChanges(book, [moved]) === book).toBe(names[1] === 'Bea')
})

test('returns the same array if one change has no effect, or many', () => {
  expect(applyChanges(book, [{ type: 'saved', document: person('b'), after: 'a' }])).toBe(book)
  expect(applyChanges(book, [{ type: 'removed', id: 'gone' }])).toBe(book)
  const echoes = book.map(
    (document, i): Change => ({ type: 'saved', document, after: book[i - 1]?.id ?? null }),
  )
  const many = Array<Change[]>(10).fill(echoes).flat()
  expect(applyChanges(book, many)).toBe(book)
})

const anyId = fc.constantFrom(...'abcdefgh')
const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ type: fc.constant('removed' as const), id: anyId }),
  fc.record({
    type: fc.constant('saved' as const),
    document: fc.tuple(anyId, fc.constantFrom('', 'x', 'y')).map(([id, name]) => person(id, name)),
    after: fc.option(anyId),
  }),
)

test('applying a change is idempotent, and ids stay unique', () => {
  fc.assert(
    fc.property(anyChange, (change) => {
      const once = applyChanges(book, [change])
      expect(applyChanges(once, [change])).toEqual(once)
    }),
  )
  fc.assert(
    fc.property(fc.array(anyChange, { maxLength: 60 }), (changes) => {
      const after = applyChanges(book, changes)
      expect(new Set(after.map(({ id }) => id)).size).toBe(after.length)
    }),
  )
})

test('applying many changes at once equals applying them one by one', () => {
  const anyBook = fc.uniqueArray(anyId).map((ids) => ids.map((id) => person(id, 'x')))
  const many = fc.array(anyChange, { minLength: 5, maxLength: 60 })
  fc.assert(
    fc.property(anyBook, many, (book, changes) => {
      const before = structuredClone(book)
      const oneByOne = changes.reduce((list, change) => applyChanges(list, [change]), book)
      const inOnePass = applyChanges(book, changes)
      expect(inOnePass).toEqual(oneByOne)
      expect(book).toEqual(before)
      if (oneByOne === book) expect(inOnePass).toBe(book)
    }),
    { numRuns: 2_000 },
  )
})
