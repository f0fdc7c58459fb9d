import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CharacterSet,
  characterSets,
  generatePassword,
  randomBelow,
} from '../../model/passwords/generate-password.ts'
import { estimateStrength } from '../../model/passwords/password-strength.ts'

const options = fc.record({
  length: fc.integer({ min: 6, max: 64 }),
  characterSet: fc.constantFrom(...(Object.keys(characterSets) as CharacterSet[])),
})

describe('generator', () => {
  test('a password has the requested length and only characters of its set, with each class present', () => {
    fc.assert(
      fc.property(options, ({ length, characterSet }) => {
        const password = generatePassword({ length, characterSet })
        expect(password).toHaveLength(length)
        const classes: readonly string[] = characterSets[characterSet]
        expect([...password].every((char) => classes.some((chars) => chars.includes(char)))).toBe(true)
        for (const chars of classes) expect([...password].some((char) => chars.includes(char))).toBe(true)
      }),
    )
  })

  test('no character set has duplicate or similar characters', () => {
    for (const classes of Object.values(characterSets)) {
      const characters = classes.join('')
      expect(new Set(characters).size).toBe(characters.length)
    }
    for (const characterSet of ['symbols', 'letters'] as const) {
      expect(characterSets[characterSet].join('')).not.toMatch(/[0Oo1lI|'"`]/)
    }
  })

  test('randomBelow rejects values that would cause a modulo bias', () => {
    const end = 10
    const unbiasedLimit = 2 ** 32 - (2 ** 32 % end)
    const draws = [unbiasedLimit, 2 ** 32 - 1, 17]
    let drawn = 0
    const number = randomBelow(end, () => draws[drawn++] ?? 0)
    expect(number).toBe(7)
    expect(drawn).toBe(3)
  })

  test('randomBelow is uniform', () => {
    const end = 60
    const counts = new Array<number>(end).fill(0)
    const draws = 60_000
    for (let draw = 0; draw < draws; draw++) {
      const number = randomBelow(end)
      counts[number] = (counts[number] ?? 0) + 1
    }
    const expected = draws / end
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    // 59 degrees of freedom: a fair draw exceeds 130 once in 3,000,000 runs.
    expect(chiSquare).toBeLessThan(130)
  })
})

describe('strength', () => {
  const known = ['Grace Hopper', 'grace.hopper@navy.example']

  /** Whether the list of common passwords is loaded depends on the other files of this process. */
  const common = /common word|most used/

  test.each([
    ['password', 'very weak', common],
    ['Passw0rd', 'very weak', common],
    ['Password123', 'very weak', common],
    ['grace1', 'very weak', /name/],
    ['hopper1992', 'very weak', /name/],
    ['1234567', 'very weak', /keyboard or alphabet/],
    ['aaaaaaaaaaaaaaaa', 'very weak', /./],
    ['abcabcabcabcabc', 'very weak', /./],
    ['qwertz12345', 'very weak', /./],
    ['x7#', 'very weak', /./],
    ['kiwi-tram', 'weak', /./],
    ['correct horse battery staple', 'strong', /^null$/],
  ] as const)('%s is %s, because of its most significant weakness', (password, level, because) => {
    const strength = estimateStrength(password, known)
    expect(strength.level).toBe(level)
    expect(String(strength.because)).toMatch(because)
  })

  test('a generated password of default length is strong for any record', () => {
    const property = fc.property(fc.string(), fc.string(), (name, email) => {
      const password = generatePassword({ length: 20, characterSet: 'symbols' })
      expect(estimateStrength(password, [name, email]).level).toBe('strong')
    })
    fc.assert(property, { numRuns: 500 })
  })

  test('any text has a finite strength, even a very long one', () => {
    const anyText = fc.string({ unit: 'binary' })
    const property = fc.property(anyText, fc.array(anyText), (password, words) => {
      const { bits } = estimateStrength(password, words)
      expect(bits).toBeGreaterThanOrEqual(0)
      expect(Number.isFinite(bits)).toBe(true)
    })
    fc.assert(property)
    expect(estimateStrength('xy'.repeat(5_000), known).level).toBe('very weak')
  })
})
