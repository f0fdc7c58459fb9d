import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findSameEmail } from './duplicate-hint.tsx'

const book = ['ada@example.com', 'grace@example.com', 'Ada@Example.com'].map((email, index) => ({
  id: `${index}`,
  eName: email,
  email,
  password: 'x',
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
      for (const found of findSameEmail(
        [...book, { id: 'x', eName: 'x', email, password: 'x' }],
        email,
        undefined,
      )) {
        expect(found.email.trim().toLowerCase()).toBe(email.trim().toLowerCase())
      }
    }),
  )
})
