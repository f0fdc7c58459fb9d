import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Employee } from '../../../contract/employees.ts'
import { splitByMatches } from './highlight-ranges.ts'
import { normalizeText } from './normalize-text.ts'
import {
  buildSearchIndex,
  findMatches,
  getSearchText,
  parseSearchTerms,
  type SearchMatches,
} from './search.ts'
import { readSearchParams, writeSearchParams } from './search-params.ts'
import { createCollator, defaultSort, type Sort, sortIndices, toggleSort } from './sort.ts'

const employee = (eName: string, email = 'x@example.com'): Employee => ({
  id: eName,
  eName,
  email,
  password: 'x',
})
const found = (query: string, ...names: string[]) =>
  findMatches(
    names.map((name) => getSearchText(employee(name))),
    parseSearchTerms(query),
    null,
  ).indices.map((place) => names[place])

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
    const keys = [employee('Ada', 'ada@shop.example'), employee('Ada', 'ada@mail.example')].map(getSearchText)
    expect(findMatches(keys, parseSearchTerms('ada mail'), null).indices).toEqual([1])
    expect(findMatches(keys, parseSearchTerms('   '), null).indices).toEqual([0, 1])
    expect(findMatches(keys, parseSearchTerms('nobody'), null).indices).toEqual([])
  })

  test('found: any part of a name finds it, in any case', () => {
    fc.assert(
      fc.property(anyText, fc.nat(20), fc.nat(20), (name, from, length) => {
        const letters = [...name.toWellFormed()]
        const part = letters.slice(from, from + length).join('')
        expect(
          findMatches([getSearchText(employee(name.toWellFormed()))], parseSearchTerms(part), null).indices,
        ).toEqual([0])
      }),
    )
  })

  test('found: what is found while typing is what is found at once', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ') })
    fc.assert(
      fc.property(fc.array(letters), fc.array(letters), (names, queries) => {
        const keys = names.map((name) => getSearchText(employee(name)))
        let finding: SearchMatches | null = null
        for (const query of queries.flatMap((query) => [query.slice(0, 1), query.slice(0, 2), query])) {
          finding = findMatches(keys, parseSearchTerms(query), finding)
          expect(finding.indices).toEqual(findMatches(keys, parseSearchTerms(query), null).indices)
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
        expect(buildSearchIndex(next, buildSearchIndex(first, null))).toEqual({
          employees: next,
          texts: next.map(getSearchText),
        })
      }),
    )
  })

  test('found: each letter folds by itself', () => {
    fc.assert(
      fc.property(text, (written) => {
        expect([...written].map(normalizeText).join('')).toBe(normalizeText(written))
      }),
    )
  })
})

describe('found: marks', () => {
  test('found: marks stand where the letters are, as they are written', () => {
    expect(splitByMatches('Jürgen Straße', parseSearchTerms('JURG ss'))).toEqual([
      { text: 'Jürg', isMatch: true },
      { text: 'en Stra', isMatch: false },
      { text: 'ß', isMatch: true },
      { text: 'e', isMatch: false },
    ])
    expect(splitByMatches('Jose\u0301', parseSearchTerms('e'))).toEqual([
      { text: 'Jos', isMatch: false },
      { text: 'e\u0301', isMatch: true },
    ])
  })

  test('found: the pieces put together are the text, and each found word is in a marked piece', () => {
    fc.assert(
      fc.property(anyText, anyText, (written, query) => {
        const terms = parseSearchTerms(query)
        const pieces = splitByMatches(written, terms)
        expect(pieces.map((piece) => piece.text).join('')).toBe(written)
        const marked = pieces.filter(({ isMatch }) => isMatch).map((piece) => normalizeText(piece.text))
        for (const term of terms) {
          const isThere = written.split('\n').some(() =>
            pieces
              .map((piece) => normalizeText(piece.text))
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
  const english = createCollator(['en-GB'])
  const order = (names: string[], how: Sort, collator = english) => {
    const book = names.map((name) => employee(name))
    return sortIndices(book, [...book.keys()], how, collator).map((place) => names[place])
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
    expect(order(['Zoe', 'Ärzte', 'arm'], byName, createCollator(['sv']))).toEqual(['arm', 'Zoe', 'Ärzte'])
  })

  test('found: a sorted list has every record once, in order, and equals as they were added', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 3 })), sort, (names, how) => {
        const book = names.map((name) => employee(name))
        const places = sortIndices(book, [...book.keys()], how, english)
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
    expect(toggleSort(defaultSort, 'eName')).toEqual(byName)
    expect(toggleSort(byName, 'eName')).toEqual({ by: 'eName', descending: true })
    expect(toggleSort({ by: 'eName', descending: true }, 'eName')).toEqual(byName)
    expect(toggleSort(byName, 'added')).toEqual(defaultSort)
  })
})

describe('found: the address', () => {
  test('found: a view comes back from its address as it was, and other parameters stay', () => {
    fc.assert(
      fc.property(anyText, sort, (query, how) => {
        const view = { query: query.toWellFormed(), sort: how }
        const address = writeSearchParams('?x=1', view)
        expect(readSearchParams(address)).toEqual(view)
        expect(new URLSearchParams(address).get('x')).toBe('1')
      }),
    )
  })

  test('found: the register as it is has no address of its own, and nonsense is the register as it is', () => {
    expect(writeSearchParams('', { query: '', sort: defaultSort })).toBe('')
    expect(readSearchParams('?sort=password')).toEqual({ query: '', sort: defaultSort })
    expect(readSearchParams('?sort=toString')).toEqual({ query: '', sort: defaultSort })
    expect(writeSearchParams('', { query: 'ada', sort: { by: 'eName', descending: true } })).toBe(
      '?q=ada&sort=-name',
    )
  })
})
