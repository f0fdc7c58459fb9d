import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Employee } from '../../../contract/employees.ts'
import { piecesOf } from './highlight-ranges.ts'
import { fold } from './normalize-text.ts'
import { type Finding, keyOf, keysOf, search, termsOf } from './search.ts'
import { viewOf, withView } from './search-params.ts'
import { asAdded, collatorFor, pressed, type Sort, sorted } from './sort.ts'

const employee = (eName: string, email = 'x@example.com'): Employee => ({
  id: eName,
  eName,
  email,
  password: 'x',
})
const found = (query: string, ...names: string[]) =>
  search(
    names.map((name) => keyOf(employee(name))),
    termsOf(query),
    null,
  ).places.map((place) => names[place])

/** Letters of many scripts, with accents apart and together, ligatures and emoji. */
const text = fc.string({
  unit: fc.constantFrom(...'aAbzZß ςΣσİıéÉñøØłŁﬁǆ한ا가👩‍💻', 'e\u0301', '\u0301', '\n'),
})
const anyText = fc.oneof(text, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
const sort: fc.Arbitrary<Sort> = fc.record({
  by: fc.constantFrom('added', 'eName', 'email'),
  descending: fc.boolean(),
})

describe('found: search', () => {
  test.each([
    ['muller', 'Müller'],
    ['MÜLLER', 'müller'],
    ['strasse', 'Straße'],
    ['Straße', 'STRASSE'],
    ['lukasz', 'Łukasz'],
    ['oystein', 'Øystein'],
    ['οδοσ', 'ΟΔΟΣ'],
    ['istanbul', 'İSTANBUL'],
    ['jose', 'Jose\u0301'],
    ['full', 'Ｆｕｌｌ'],
    ['love ada', 'Ada Lovelace'],
    ['عائشة', 'عائشة'],
  ])('found: %s finds %s', (query, name) => {
    expect(found(query, 'Grace Hopper', name)).toEqual([name])
  })

  test('found: a word may stand in the name, another in the email; both must be there', () => {
    const keys = [employee('Ada', 'ada@shop.example'), employee('Ada', 'ada@mail.example')].map(keyOf)
    expect(search(keys, termsOf('ada mail'), null).places).toEqual([1])
    expect(search(keys, termsOf('   '), null).places).toEqual([0, 1])
    expect(search(keys, termsOf('nobody'), null).places).toEqual([])
  })

  test('found: any part of a name finds it, in any case', () => {
    fc.assert(
      fc.property(anyText, fc.nat(20), fc.nat(20), (name, from, length) => {
        const letters = [...name.toWellFormed()]
        const part = letters.slice(from, from + length).join('')
        expect(search([keyOf(employee(name.toWellFormed()))], termsOf(part), null).places).toEqual([0])
      }),
    )
  })

  test('found: what is found while typing is what is found at once', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ') })
    fc.assert(
      fc.property(fc.array(letters), fc.array(letters), (names, queries) => {
        const keys = names.map((name) => keyOf(employee(name)))
        let finding: Finding | null = null
        for (const query of queries.flatMap((query) => [query.slice(0, 1), query.slice(0, 2), query])) {
          finding = search(keys, termsOf(query), finding)
          expect(finding.places).toEqual(search(keys, termsOf(query), null).places)
        }
      }),
    )
  })

  test('found: after any change, what is searched by is as if it were made anew', () => {
    const names = fc.array(fc.string({ maxLength: 4 }))
    fc.assert(
      fc.property(names, names, names, names, (start, before, after, end) => {
        const [head, tail] = [start, end].map((part) => part.map((name) => employee(name))) as [
          Employee[],
          Employee[],
        ]
        const book = (middle: string[]) => [...head, ...middle.map((name) => employee(name)), ...tail]
        const first = book(before)
        const next = book(after)
        expect(keysOf(next, keysOf(first, null))).toEqual({ book: next, keys: next.map(keyOf) })
      }),
    )
  })

  test('found: each letter folds by itself', () => {
    fc.assert(
      fc.property(text, (written) => {
        expect([...written].map(fold).join('')).toBe(fold(written))
      }),
    )
  })
})

describe('found: marks', () => {
  test('found: marks stand where the letters are, as they are written', () => {
    expect(piecesOf('Jürgen Straße', termsOf('JURG ss'))).toEqual([
      { text: 'Jürg', isMatch: true },
      { text: 'en Stra', isMatch: false },
      { text: 'ß', isMatch: true },
      { text: 'e', isMatch: false },
    ])
    expect(piecesOf('Jose\u0301', termsOf('e'))).toEqual([
      { text: 'Jos', isMatch: false },
      { text: 'e\u0301', isMatch: true },
    ])
  })

  test('found: the pieces put together are the text, and each found word is in a marked piece', () => {
    fc.assert(
      fc.property(anyText, anyText, (written, query) => {
        const terms = termsOf(query)
        const pieces = piecesOf(written, terms)
        expect(pieces.map((piece) => piece.text).join('')).toBe(written)
        const marked = pieces.filter(({ isMatch }) => isMatch).map((piece) => fold(piece.text))
        for (const term of terms) {
          const isThere = written.split('\n').some(() =>
            pieces
              .map((piece) => fold(piece.text))
              .join('')
              .includes(term),
          )
          expect(marked.some((piece) => piece.includes(term))).toBe(isThere)
        }
      }),
    )
  })
})

describe('found: sort', () => {
  const english = collatorFor(['en-GB'])
  const order = (names: string[], how: Sort, collator = english) => {
    const book = names.map((name) => employee(name))
    return sorted(book, [...book.keys()], how, collator).map((place) => names[place])
  }
  const byName = { by: 'eName', descending: false } as const

  test('found: names stand in the order of the user’s language, figures by their value', () => {
    expect(order(['Zoe', 'Ärzte', 'arm', 'Shop 10', 'Shop 9'], byName)).toEqual([
      'arm',
      'Ärzte',
      'Shop 9',
      'Shop 10',
      'Zoe',
    ])
    expect(order(['Zoe', 'Ärzte', 'arm'], byName, collatorFor(['sv']))).toEqual(['arm', 'Zoe', 'Ärzte'])
  })

  test('found: a sorted list has every record once, in order, and equals as they were added', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 3 })), sort, (names, how) => {
        const book = names.map((name) => employee(name))
        const places = sorted(book, [...book.keys()], how, english)
        expect(places.toSorted((a, b) => a - b)).toEqual([...book.keys()])
        for (const [index, place] of places.entries()) {
          const next = places[index + 1]
          if (next === undefined) continue
          const way = how.descending ? -1 : 1
          if (how.by === 'added') expect(way * (next - place)).toBeGreaterThan(0)
          else {
            const difference = way * english.compare(book[place]?.[how.by] ?? '', book[next]?.[how.by] ?? '')
            expect(difference < 0 || (difference === 0 && place < next)).toBe(true)
          }
        }
      }),
    )
  })

  test('found: a header sorts by its column, pressed again the other way round, and # is the way back', () => {
    expect(pressed(asAdded, 'eName')).toEqual(byName)
    expect(pressed(byName, 'eName')).toEqual({ by: 'eName', descending: true })
    expect(pressed({ by: 'eName', descending: true }, 'eName')).toEqual(byName)
    expect(pressed(byName, 'added')).toEqual(asAdded)
  })
})

describe('found: the address', () => {
  test('found: a view comes back from its address as it was, and other parameters stay', () => {
    fc.assert(
      fc.property(anyText, sort, (query, how) => {
        const view = { query: query.toWellFormed(), sort: how }
        const address = withView('?x=1', view)
        expect(viewOf(address)).toEqual(view)
        expect(new URLSearchParams(address).get('x')).toBe('1')
      }),
    )
  })

  test('found: the register as it is has no address of its own, and nonsense is the register as it is', () => {
    expect(withView('', { query: '', sort: asAdded })).toBe('')
    expect(viewOf('?sort=password')).toEqual({ query: '', sort: asAdded })
    expect(viewOf('?sort=toString')).toEqual({ query: '', sort: asAdded })
    expect(withView('', { query: 'ada', sort: { by: 'eName', descending: true } })).toBe('?q=ada&sort=-name')
  })
})
