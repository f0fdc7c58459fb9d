import { expect, test } from 'vitest'
import { findLongFunctionsIn } from './functions.ts'
import { checkImports } from './imports.ts'

const lines = (count: number) => 'count()\n'.repeat(count)

test('measures functions, arrow functions, methods and components, also inside of each other', () => {
  const kinds = {
    'a.ts': `export function long() {\n${lines(90)}}`,
    'b.ts': `const short = () => 1\nexport const long = async () => {\n${lines(90)}}`,
    'c.ts': `class A {\n  private method(): void {\n${lines(90)}}\n}`,
    'd.tsx': `export const Page = () => {\n${lines(90)}return <p>{'}'}</p> }`,
    'e.ts': `export function outer() {\n${lines(85)}const inner = () => {\n1\n}\nreturn inner\n}`,
    'f.ts': `export function justRight(this: unknown) {\n${lines(88)}}`,
  }
  const problems = Object.entries(kinds).flatMap(([file, text]) => findLongFunctionsIn(file, text))
  expect(problems).toEqual([
    'a.ts:1 a function of 92 lines; at most 90',
    'b.ts:2 a function of 92 lines; at most 90',
    'c.ts:2 a function of 92 lines; at most 90',
    'd.tsx:1 a function of 92 lines; at most 90',
    'e.ts:1 a function of 91 lines; at most 90',
  ])
})

test.each([
  ['web/records/table/row.tsx', '../../../server/app.ts', true],
  ['web/records/table/row.test.tsx', '../../../server/app.ts', true],
  ['server/http/http.test.ts', '../../web/main.tsx', true],
  ['server/http/http.test.ts', '../../tests/support/server.ts', false],
  ['server/http/headers.ts', '../../tests/support/server.ts', true],
  ['server/records/routes.ts', '../storage/sqlite/open.ts', true],
  ['server/records/routes.test.ts', '../storage/sqlite/open.ts', false],
  ['server/main.ts', './storage/sqlite/open.ts', false],
  ['contract/errors.ts', '../web/main.tsx', true],
])('import directions: from %s, %s is forbidden: %s', (file, specifier, isForbidden) => {
  expect(checkImports(file, `import { x } from '${specifier}'`)).toHaveLength(isForbidden ? 1 : 0)
})
