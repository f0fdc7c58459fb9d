import fc from 'fast-check'
import { expect, test } from 'vitest'
import { record } from '../../../tests/support/people.ts'
import { findSameEmail } from './duplicate-hint.tsx'

const book = ['ada@example.com', 'grace@example.com', 'Ada@Example.com'].map((email, index) => ({
  id: `${index}`,
  ...record({ email }),
}))

test('duplicate emails ignore case and surrounding spaces, and a record is not a duplicate of itself', () => {
  const ids = (email: string, exceptId?: string) => findSameEmail(book, email, exceptId).map(({ id }) => id)
  expect(ids(' ADA@example.com ')).toEqual(['0', '2'])
  expect(ids('ada@example.com', '0')).toEqual(['2'])
  expect(ids('ada@example.co')).toEqual([])
  expect(ids('')).toEqual([])
})

test('for any input, only records with that email are duplicates', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.emailAddress()), (email) => {
      for (const found of findSameEmail([...book, { id: 'x', ...record({ email }) }], email, undefined)) {
        expect(found.email.trim().toLowerCase()).toBe(email.trim().toLowerCase())
      }
    }),
  )
})
