import { expect, test } from 'vitest'
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
  ['server/records/routes.ts', '../storage/sqlite/open.ts', true],
  ['server/records/routes.test.ts', '../storage/sqlite/open.ts', false],
  ['server/main.ts', './storage/sqlite/open.ts', false],
  ['contract/errors.ts', '../web/main.tsx', true],
  ['web/records/register/form/field.tsx', '../search/search.module.css', true],
  ['web/records/register/form/field.tsx', '../../../ui/chip.module.css', false],
])('import directions: from %s, %s is forbidden: %s', (file, specifier, isForbidden) => {
  expect(checkImports(file, `import { x } from '${specifier}'`)).toHaveLength(isForbidden ? 1 : 0)
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

test('a translation has the placeholders of its text, and the plural forms of its language', () => {
  const rows = '{count, plural, one {# row} other {# rows}} of {name}'
  const check = (translation: string) =>
    findCatalogProblems([rows], { ja: { [rows]: translation } }).map((line) => line.replace(/^.*?: /, ''))
  expect(check('{name}: {count, plural, other {#行}}')).toEqual([])
  expect(check('{count, plural, other {#行}}')).toEqual([`use {name} in the translation of "${rows}"`])
  expect(check('{name} {count, plural, other {{rows}行}}')).toEqual([`"${rows}" has no {rows}`])
  const english = findCatalogProblems([rows], { de: { [rows]: '{count, plural, other {# Zeilen}} {name}' } })
  expect(english.join()).toContain(`add the plural form "one" to the translation of "${rows}"`)
  expect(check('')).toEqual([`translate "${rows}"`])
  expect(findCatalogProblems([], { ja: { Add: '追加' } })).toEqual([
    'web/language/catalogs/ja.json: remove "Add", which the page no longer has',
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
