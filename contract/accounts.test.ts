import { describe, expect, it } from 'vitest'
import { measureTurns } from '../tests/support/measure-turns.ts'
import { findPasswordProblem } from './predictable-text.ts'

describe('security: account passwords', () => {
  it.each(
    `987654321 87654321 123123123 12341234 00000000 55555555 66666666 88888888 aaaaaaaa abababab abcabcabc Abcdefgh
     hgfedcba1 qwertyui QWERTYUIOP poiuytrewq asdfghjkl! zxcvbnm123 qwertzuiop 1qaz2wsx 1qaz2wsx3edc abcd1234 1234abcd
     aaaabbbb 11112222 testtest lovelovelove 1234567890 !@#$%^&* абвгдежз ёёёёёёёё 👩👩👩👩👩👩👩👩`.split(
      /\s+/,
    ),
  )('refuse %s, which repeats itself or follows a row', (password) => {
    expect(findPasswordProblem(password)).toMatch(/repeats/)
  })

  it.each([
    'correct horse battery',
    'a wrong guess',
    'Kx!7aaaaaaaaa',
    'пароль-мой',
    '🔑🐘🚀🌋🥝🎺🧊🪁',
    'tr0ub4dor&3',
    'hijacked-by-no-one',
    'J7#mQ2xw',
  ])('accept %s', (password) => {
    expect(findPasswordProblem(password)).toBeUndefined()
  })

  it('are judged within milliseconds, whatever they are', () => {
    const turns = measureTurns()
    for (const piece of ['a', 'ab', 'abc', 'aab', 'a'.repeat(63).concat('b')]) {
      findPasswordProblem(piece.repeat(128).slice(0, 127).concat('!'))
    }
    expect(turns.stop()).toBeLessThan(100)
  })
})
