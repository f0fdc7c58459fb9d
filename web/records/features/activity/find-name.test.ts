import { expect, test } from 'vitest'
import { makeEmployees } from '../../../../tests/support/people.ts'
import { displayName } from '../../model/fields.ts'
import { createFindName } from './find-name.ts'

test('finds the names of a few and of many records, and none of those that do not exist', () => {
  const book = makeEmployees(100).map((fields, i) => ({ id: `id-${i}`, ...fields }))
  const findName = createFindName(book)
  const ids = [...book.map(({ id }) => id).toReversed(), 'gone']
  const names = [...book.map(displayName).toReversed(), undefined]
  for (let i = 0; i < 2; i++) expect(ids.map(findName)).toEqual(names)
})
