import { expect, test } from 'vitest'
import { getColor, getInitials } from './initials.ts'

test.each([
  ['Ada Lovelace', 'AL'],
  ['Jean-Luc van der Berg', 'JB'],
  ['jörg ångström', 'JÅ'],
  ['Cher', 'C'],
  ['Анна Lovelace', 'А'],
  ['山田 Taro', '山'],
  ['Taro 山田', 'T'],
  ['Ελένη Παππά', 'ΕΠ'],
  ['عائشة بنت أبي بكر', 'ع'],
  ['👩‍💻 Emoji 🎈', 'E'],
  ['(no name)', 'NN'],
  ['', ''],
  ['007', ''],
  [`e${'\u0489'.repeat(9)}`, 'E\u0489\u0489\u0489'],
])('the initials of %s are %s', (name, initials) => {
  expect(getInitials(name)).toBe(initials)
})

test('a record keeps its color, and similar ids have different ones', () => {
  expect(getColor('a1')).toBe(getColor('a1'))
  expect(getColor('a1')).not.toBe(getColor('a2'))
})

test('every color occurs', () => {
  const colors = Array.from({ length: 100 }, (_, index) => getColor(`AZmi0Xk2QbW${index}`))
  expect([...new Set(colors)].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})
