import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CharacterSet, characterSets, generatePassword, randomBelow } from './generate-password.ts'
import { estimateStrength } from './password-strength.ts'

const recipe = fc.record({
  length: fc.integer({ min: 6, max: 64 }),
  alphabet: fc.constantFrom(...(Object.keys(characterSets) as CharacterSet[])),
})

describe('generator', () => {
  test('generator: a password has the wanted length, nothing but the alphabet, and each of its kinds', () => {
    fc.assert(
      fc.property(recipe, ({ length, alphabet }) => {
        const password = generatePassword({ length, characterSet: alphabet })
        expect(password).toHaveLength(length)
        const kinds: readonly string[] = characterSets[alphabet]
        expect([...password].every((sign) => kinds.some((kind) => kind.includes(sign)))).toBe(true)
        for (const kind of kinds) expect([...password].some((sign) => kind.includes(sign))).toBe(true)
      }),
    )
  })

  test('generator: no sign stands twice in an alphabet, and none that looks like another one', () => {
    for (const kinds of Object.values(characterSets)) {
      const signs = kinds.join('')
      expect(new Set(signs).size).toBe(signs.length)
    }
    for (const alphabet of ['symbols', 'letters'] as const) {
      expect(characterSets[alphabet].join('')).not.toMatch(/[0Oo1lI|'"`]/)
    }
  })

  test('generator: what would favour some numbers is drawn again', () => {
    const end = 10
    const leftOver = 2 ** 32 - (2 ** 32 % end)
    const draws = [leftOver, 2 ** 32 - 1, 17]
    let drawn = 0
    const number = randomBelow(end, (array) => {
      array[0] = draws[drawn++] ?? 0
    })
    expect(number).toBe(7)
    expect(drawn).toBe(3)
  })

  test('generator: over many draws every number comes about as often as any other', () => {
    const end = 60
    const counts = new Array<number>(end).fill(0)
    const draws = 60_000
    for (let draw = 0; draw < draws; draw++) {
      const number = randomBelow(end, (array) => crypto.getRandomValues(array))
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

  test.each([
    ['password', 'very weak'],
    ['Password123', 'very weak'],
    ['hopper1992', 'very weak'],
    ['aaaaaaaaaaaaaaaa', 'very weak'],
    ['abcabcabcabcabc', 'very weak'],
    ['qwertz12345', 'very weak'],
    ['x7#', 'very weak'],
    ['kiwi-tram', 'weak'],
    ['correct horse battery staple', 'strong'],
  ] as const)('strength: %s is %s', (password, level) => {
    expect(estimateStrength(password, known).level).toBe(level)
  })

  test('strength: it says why', () => {
    expect(estimateStrength('grace1', known).because).toMatch(/name/)
    expect(estimateStrength('Passw0rd', known).because).toMatch(/everybody/)
    expect(estimateStrength('1234567', known).because).toMatch(/row/)
    expect(estimateStrength('correct horse battery staple', known).because).toBeNull()
  })

  test('strength: a generated password of the usual length is strong, whatever the record', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (name, email) => {
        expect(
          estimateStrength(generatePassword({ length: 20, characterSet: 'symbols' }), [name, email]).level,
        ).toBe('strong')
      }),
      { numRuns: 500 },
    )
  })

  test('strength: any text has one, also a very long one', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.array(fc.string({ unit: 'binary' })),
        (password, words) => {
          const { bits } = estimateStrength(password, words)
          expect(bits).toBeGreaterThanOrEqual(0)
          expect(Number.isFinite(bits)).toBe(true)
        },
      ),
    )
    expect(estimateStrength('xy'.repeat(5_000), known).level).toBe('very weak')
  })
})
