import { expect, test } from 'vitest'
import { collection } from './employees.ts'
import { paths } from './protocol.ts'

test('9 the paths are those of the collection books', () => {
  expect(collection).toBe('books')
  expect(paths.books).toBe('/api/collections/books')
  expect(paths.book('a/b')).toBe('/api/collections/books/a%2Fb')
})
