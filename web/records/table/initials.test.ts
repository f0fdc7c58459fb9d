import { expect, test } from 'vitest'
import { getHue, getInitials } from './initials.ts'

test.each([
  ['Ada Lovelace', 'AL'],
  ['Jean-Luc van der Berg', 'JB'],
  ['jörg ångström', 'JÅ'],
  ['Cher', 'C'],
  ['عائشة بنت أبي بكر', 'ع'],
  ['👩‍💻 Emoji 🎈', 'E'],
  ['(no name)', 'NN'],
  ['', ''],
  ['007', ''],
  [`e${'\u0489'.repeat(9)}`, 'E\u0489\u0489\u0489'],
])('the initials of %s are %s', (name, initials) => {
  expect(getInitials(name)).toBe(initials)
})

test('a record keeps its hue, and similar ids have different ones', () => {
  expect(getHue('a1')).toBe(getHue('a1'))
  expect(getHue('a1')).not.toBe(getHue('a2'))
})
