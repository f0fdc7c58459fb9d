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
  expect([...found.weak.keys()].sort()).toEqual(['1', '5', '6'])
  expect([...found.reused.keys()]).toEqual(['2', '4', '5', '6'])
  expect(found.old.size).toBe(0)
  expect(find([])).toEqual({ weak: new Map(), reused: new Map(), old: new Map() })
})

test('says how weak a password is, who else has it and that it is old, and ranks equal ones together', () => {
  const strong = 'correct horse battery staple'
  const passwords = ['kqzfwvtp', strong, 'ada', 'Tulip-Anchor-88-Fog', strong, 'ada', 'ada']
  const employees = passwords.map((password, i) => employee(`${i + 1}`, password))
  const { weak, reused, old } = find(employees, new Map([['4', 'Tulip-Anchor-88-Fog']]))
  const notes = (issues: typeof weak) => {
    const ranked = [...issues].sort(([, a], [, b]) => a.rank - b.rank)
    return ranked.map(([id, { note }]) => `${id}: ${note}`)
  }
  expect(notes(weak)).toEqual(['3: Very weak', '6: Very weak', '7: Very weak', '1: Weak'])
  expect(notes(reused)).toEqual([
    '2: Same as 5',
    '5: Same as 2',
    '3: Same as 6 and 7',
    '6: Same as 3 and 7',
    '7: Same as 3 and 6',
  ])
  const ranks = [...reused.values()].map(({ rank }) => rank)
  expect(new Set(ranks).size).toBe(2)
  expect(notes(old)).toEqual(['4: Over a year old'])
  const four = find([...employees, employee('8', 'ada')]).reused
  expect(four.get('3')?.note).toBe('Same as 6 and 2 others')
  expect(four.get('8')?.note).toBe('Same as 3 and 2 others')
})

test('a common password of any length and case is weak', () => {
  const found = find([employee('1', 'MailCreated5240'), employee('2', 'MailCreated5241')])
  expect([...found.weak.keys()]).toEqual(['1'])
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
