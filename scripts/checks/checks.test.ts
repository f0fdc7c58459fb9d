import { describe, expect, test } from 'vitest'
import { type Catalog, type Language, readCatalogs, readLanguages, readTexts } from '../catalogs.ts'
import { measureFunctions } from './budgets.ts'
import { findCatalogProblems } from './catalogs.ts'
import { checkImports, checkRooms } from './imports.ts'
import { findLost } from './test-files.ts'

test('measures functions, arrow functions, methods and components, also inside of each other', () => {
  const text = `function outer() {
  const inner = async () => {
    1
  }
}
class A { private method(): void {
} }
const Page = () => <p>{'}'}</p>
`
  expect(measureFunctions('a.tsx', text)).toEqual([
    ['a.tsx:1', 5],
    ['a.tsx:2', 3],
    ['a.tsx:6', 2],
    ['a.tsx:8', 1],
  ])
})

test.each([
  ['web/records/register/table/row.tsx', '../../../../server/app.ts', true],
  ['web/records/register/table/row.test.tsx', '../../../../server/app.ts', true],
  ['server/http/http.test.ts', '../../web/main.tsx', true],
  ['server/http/http.test.ts', '../../tests/support/server.ts', false],
  ['server/http/headers.ts', '../../tests/support/server.ts', true],
  ['web/records/model/outbox/outbox.ts', '../../../../tests/simulation/engine/clock.ts', true],
  ['server/records/routes.ts', '../storage/sqlite/open.ts', true],
  ['server/records/routes.test.ts', '../storage/sqlite/open.ts', false],
  ['server/main.ts', './storage/sqlite/open.ts', false],
  ['contract/errors.ts', '../web/main.tsx', true],
  ['web/records/register/form/field.tsx', '../search/search.module.css', true],
  ['web/records/register/form/field.tsx', '../../../ui/chip.module.css', false],
])('import directions: from %s, %s is forbidden: %s', (file, specifier, isForbidden) => {
  for (const text of [`import { x } from '${specifier}'`, `const { x } = await import('${specifier}')`])
    expect(checkImports(file, text)).toHaveLength(isForbidden ? 1 : 0)
})

test.each([
  ['files', { 'server/a.ts': './b.ts', 'server/b.ts': './a.ts' }, ['server/a', 'server/b']],
  ['folders', { 'server/a/x.ts': '../b/x.ts', 'server/b/y.ts': '../a/y.ts' }, ['server/a', 'server/b']],
  ['one name', { 'server/a.ts': './b/x.ts', 'server/b/x.ts': '../a/y.ts' }, ['server/a', 'server/b']],
  ['deep ones', { 'server/c/a/x.ts': '../b.ts', 'server/c/b.ts': './a/x.ts' }, ['server/c/a', 'server/c/b']],
  ['one way', { 'server/a/x.ts': '../b/x.ts', 'server/b/x.ts': './y.ts' }, []],
  ['a test', { 'server/a/x.ts': '../b/x.ts', 'server/b/x.test.ts': '../a/x.ts' }, []],
])('finds neighbours that import each other: %s', (_, imports, pair) => {
  const read = (file: string) => `import type { X } from '${new Map(Object.entries(imports)).get(file)}'`
  const message = pair.length > 0 ? [expect.stringMatching(`^${pair.join(' and ')} import each other`)] : []
  expect(checkRooms(Object.keys(imports), read)).toEqual(message)
})

const languageOf = (name: string, rest: Partial<Language> = {}): Language => ({ name, ...rest })

/** The problems of one catalog, without the path of its file. */
const checkCatalog = (texts: string[], tag: string, catalog: Catalog, rest?: Partial<Language>) =>
  findCatalogProblems(texts, { [tag]: catalog }, { [tag]: languageOf('Name', rest) }).map((line) =>
    line.replace(/^.*?: /, ''),
  )

test('a translation has the placeholders of its text, and the plural forms of its language', () => {
  const rows = '{count, plural, one {# row} other {# rows}} of {name}'
  const check = (translation: string) => checkCatalog([rows], 'ja', { [rows]: translation })
  expect(check('{name}: {count, plural, other {#行}}')).toEqual([])
  expect(check('{count, plural, other {#行}}')).toEqual([`use {name} in the translation of "${rows}"`])
  expect(check('{name} {count, plural, other {{rows}行}}')).toEqual([`"${rows}" has no {rows}`])
  const german = checkCatalog([rows], 'de', { [rows]: '{count, plural, other {# Zeilen}} {name}' })
  expect(german.join()).toContain(`add the plural form "one" to the translation of "${rows}"`)
  expect(check('')).toEqual([`translate "${rows}"`])
  expect(checkCatalog([], 'ja', { Add: '追加' })).toEqual(['remove "Add", which the page no longer has'])
})

test('only a partial catalog may lack texts', () => {
  expect(checkCatalog(['Add', 'Edit'], 'nl', { Add: 'Toevoegen' })).toEqual(['translate "Edit"'])
  expect(checkCatalog(['Add', 'Edit'], 'nl', { Add: 'Toevoegen' }, { isPartial: true })).toEqual([])
})

test('a file names its language, and headers that no other file uses for another column', () => {
  expect(findCatalogProblems([], { tlh: {} }, {})).toEqual([
    expect.stringContaining('write the name of the language'),
  ])
  expect(checkCatalog([], 'PT-br', {})).toEqual(['name the file pt-BR.json'])
  const wrong = { direction: 'up', headers: { phone: ['Telefon'] } } as unknown as Language
  expect(checkCatalog([], 'nl', {}, wrong)).toEqual([
    'the direction is "ltr" or "rtl"',
    expect.stringContaining('no column contains "phone"'),
  ])
  const languages = {
    da: languageOf('Dansk', { headers: { firstName: ['Navn'] } }),
    nb: languageOf('Norsk', { headers: { name: ['navn'] } }),
  }
  expect(findCatalogProblems([], {}, languages)).toEqual([
    'web/language/catalogs: the header "navn" means firstName and name',
  ])
})

test('finds a test file that no run has, and one that two have, unless it is repeated on another backend', () => {
  const runBy = new Map([
    ['server/a.test.ts', ['local', 'postgres']],
    ['tests/b.test.ts', ['local', 'components']],
  ])
  expect(findLost(['server/a.test.ts', 'tests/b.test.ts', 'bench/c.test.ts'], runBy)).toEqual([
    'tests/b.test.ts is run by local and components',
    'bench/c.test.ts is in no run: place and name it as CONTRIBUTING.md says',
  ])
})

describe('a catalog that is a copy of another language', () => {
  const { de = {}, es = {} } = readCatalogs()
  const texts = readTexts()
  const check = (catalog: Catalog, tag = 'nl') =>
    findCatalogProblems(
      texts,
      { ...readCatalogs(), [tag]: catalog },
      { ...readLanguages(), [tag]: languageOf('Nederlands', { isPartial: true }) },
    ).filter((line) => line.startsWith(`web/language/catalogs/${tag}.json`))
  const change = (catalog: Catalog, edit: (text: string, index: number) => string): Catalog =>
    Object.fromEntries(Object.entries(catalog).map(([text, value], index) => [text, edit(value, index)]))
  const words = {
    Passwort: 'Wachtwoord',
    Konto: 'Account',
    ' und ': ' en ',
    ' nicht ': ' niet ',
    ' die ': ' de ',
  }
  const replaceWords = (text: string) =>
    Object.entries(words).reduce((result, [word, other]) => result.replaceAll(word, other), text)

  test.each([
    ['as it is', de],
    ['with a sign behind each text', change(de, (text) => `${text} `)],
    ['with other words in it', change(de, replaceWords)],
    [
      'with half of it from a third language',
      change(de, (text, index) => (index % 2 ? text : (Object.values(es)[index] ?? text))),
    ],
    ['of which little is there', Object.fromEntries(Object.entries(de).slice(0, 60))],
  ])('is reported: %s', (_, catalog) => {
    expect(check(catalog)).toContainEqual(expect.stringMatching(/longer texts are like those of de\.json/))
  })

  test('is not reported for a variety of the same language, nor for names and short texts', () => {
    expect(check(de, 'de-AT')).toEqual([])
    const short = Object.entries(de).filter(([text]) => text.length < 15)
    expect(check(Object.fromEntries(short))).toEqual([])
  })

  test('is reported text by text where it is English', () => {
    const [text = ''] = texts.filter((other) => /^[A-Z][\w ’]{40,}\.$/.test(other))
    expect(check({ [text]: text })).toEqual([expect.stringContaining('it is English')])
  })
})
