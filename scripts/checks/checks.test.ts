import { expect, test } from 'vitest'
import { measureFunctions } from './budgets.ts'
import { checkImports } from './imports.ts'

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
