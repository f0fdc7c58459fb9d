import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Employee } from '../../../contract/employees.ts'
import { arbitraryEmployees } from '../../../tests/support/arbitraries.ts'
import { record } from '../../../tests/support/people.ts'
import { runWhenIdle } from '../../lib/run-when-idle.ts'
import { estimateStrength } from '../form/password-strength.ts'
import { findPasswordIssues, type PasswordIssues, type WeaknessCache } from './find-password-issues.ts'

function find(employees: readonly Employee[], cache: WeaknessCache = new WeakMap()): PasswordIssues {
  const search = findPasswordIssues(employees, cache)
  for (;;) {
    const { done, value } = search.next()
    if (done) return value
  }
}

const employee = (id: string, password: string) => ({ id, ...record({ password }) })

test('finds weak passwords, and those of several records; the same password in another case is another one', () => {
  expect(
    find([
      employee('1', 'summer1'),
      employee('2', 'correct horse battery staple'),
      employee('3', 'Correct horse battery staple'),
      employee('4', 'correct horse battery staple'),
      employee('5', 'ada'),
      employee('6', 'ada'),
    ]),
  ).toEqual({ weak: new Set(['1', '5', '6']), reused: new Set(['2', '4', '5', '6']) })
  expect(find([])).toEqual({ weak: new Set(), reused: new Set() })
})

test('agrees with the form’s hint and a comparison of all passwords, also with the cache of an earlier list', () => {
  fc.assert(
    fc.property(arbitraryEmployees, arbitraryEmployees, (before, added) => {
      const cache: WeaknessCache = new WeakMap()
      find(before, cache)
      const employees = [...before.slice(1), ...added.map((one) => ({ ...one, id: `new-${one.id}` }))]
      const found = find(employees, cache)
      for (const { id, eName, email, password } of employees) {
        const { level } = estimateStrength(password, [eName, email])
        expect(found.weak.has(id)).toBe(level.includes('weak'))
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
  const search = () => runWhenIdle(findPasswordIssues(employees, new WeakMap()), controller.signal)
  expect((await search())?.reused.size).toBe(5_000)
  const aborted = search()
  controller.abort()
  expect(await aborted).toBeUndefined()
})
