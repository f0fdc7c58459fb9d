import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Employee, fieldOf } from '../../../../contract/employees.ts'
import { arbitraryEmployees } from '../../../../tests/support/arbitraries.ts'
import { record } from '../../../../tests/support/people.ts'
import { runWhenIdle } from '../../../lib/run-when-idle.ts'
import { visibleFieldNames } from '../fields.ts'
import { estimateStrength } from '../passwords/password-strength.ts'
import { findPasswordIssues } from './find-password-issues.ts'
import type { PasswordIssues } from './search-params.ts'

function find(
  employees: readonly Employee[],
  oldPasswords: ReadonlyMap<string, string> = new Map(),
): PasswordIssues {
  const search = findPasswordIssues(employees, oldPasswords)
  let step = search.next()
  while (!step.done) step = search.next()
  return step.value
}

const employee = (id: string, password: string) => ({ id, ...record({ password }) })

test('finds weak passwords, and those of several records; the same password in another case is another one', () => {
  const strong = 'correct horse battery staple'
  const passwords = ['summer1', strong, strong.replace('c', 'C'), strong, 'ada', 'ada']
  const found = find(passwords.map((password, i) => employee(`${i + 1}`, password)))
  const reused = new Set(['2', '4', '5', '6'])
  expect(found).toEqual({ weak: new Set(['1', '5', '6']), reused, old: new Set() })
  expect(find([])).toEqual({ weak: new Set(), reused: new Set(), old: new Set() })
})

test('a common password of any length and case is weak', () => {
  const found = find([employee('1', 'MailCreated5240'), employee('2', 'MailCreated5241')])
  expect(found.weak).toEqual(new Set(['1']))
})

test('agrees with the form’s hint, a comparison of all passwords and which were old, also with the cache of an earlier list', () => {
  fc.assert(
    fc.property(arbitraryEmployees, arbitraryEmployees, (before, added) => {
      find(before)
      const changed = before.map((one, i) => (i === 0 ? { ...one, password: `${one.password}!` } : one))
      const employees = [...changed, ...added.map((one) => ({ ...one, id: `new-${one.id}` }))]
      const oldPasswords = new Map(before.map(({ id, password }) => [id, password]))
      const found = find(employees, oldPasswords)
      for (const employee of employees) {
        const { id, password } = employee
        const texts = visibleFieldNames.map((name) => fieldOf(employee, name))
        const { level } = estimateStrength(password, texts)
        expect(found.weak.has(id)).toBe(level.includes('weak'))
        expect(found.old.has(id)).toBe(oldPasswords.get(id) === password)
        expect(found.reused.has(id)).toBe(
          employees.some((other) => other.id !== id && other.password === password),
        )
      }
    }),
  )
})

test('runs in slices until its end; an aborted search has no result', async () => {
  const employees = Array.from({ length: 5_000 }, (_, index) => employee(String(index), 'x'))
  const controller = new AbortController()
  const search = () => runWhenIdle(findPasswordIssues(employees, new Map()), controller.signal)
  expect((await search())?.reused.size).toBe(5_000)
  const aborted = search()
  controller.abort()
  expect(await aborted).toBeUndefined()
})
