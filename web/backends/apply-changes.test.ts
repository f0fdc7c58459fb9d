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

const anyId = fc.constantFrom(...'abcdefgh')
const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ type: fc.constant('removed' as const), id: anyId }),
  fc.record({
    type: fc.constant('saved' as const),
    document: fc.tuple(anyId, fc.constantFrom('', 'x', 'y')).map(([id, name]) => person(id, name)),
    after: fc.option(anyId),
  }),
)

test('any change, told twice, comes to what it comes to once; no id is there twice', () => {
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

test('many changes in one pass come to what they come to one by one', () => {
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

test('many changes that say nothing new give back the very same list', () => {
  const echoes = Array.from({ length: 10 }, () => book).flat()
  const changes = echoes.map((document): Change => ({ type: 'saved', document, after: null }))
  expect(applyChanges(book, changes)).toBe(book)
})
