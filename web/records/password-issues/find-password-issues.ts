import type { Employee } from '../../../contract/employees.ts'
import { visibleFieldNames } from '../fields.tsx'
import { estimateStrength } from '../form/password-strength.ts'
import type { Issue } from '../search/search-params.ts'

/** The ids of the records whose password has the issue. */
export type PasswordIssues = Readonly<Record<Issue, ReadonlySet<string>>>

/** Whether the password of a record is weak. A changed record is another object, so an entry never becomes wrong. */
export type WeaknessCache = WeakMap<Employee, boolean>

/** Checking so many passwords takes 0.2 ms on a slow laptop. */
const recordsPerStep = 32

/** Finds the records with a weak password, as the form's hint estimates it, or with the password of another record. */
export function* findPasswordIssues(
  employees: readonly Employee[],
  weaknessCache: WeaknessCache,
): Generator<void, PasswordIssues, void> {
  const weak = new Set<string>()
  const reused = new Set<string>()
  const firstIdByPassword = new Map<string, string>()
  for (const [index, employee] of employees.entries()) {
    const { id, password } = employee
    if (isWeak(employee, weaknessCache)) weak.add(id)
    const firstId = firstIdByPassword.get(password)
    if (firstId === undefined) firstIdByPassword.set(password, id)
    else reused.add(firstId).add(id)
    if (index % recordsPerStep === 0) yield
  }
  return { weak, reused }
}

function isWeak(employee: Employee, cache: WeaknessCache): boolean {
  const cached = cache.get(employee)
  if (cached !== undefined) return cached
  const { level } = estimateStrength(
    employee.password,
    visibleFieldNames.map((name) => employee[name]),
  )
  const isWeak = level === 'weak' || level === 'very weak'
  cache.set(employee, isWeak)
  return isWeak
}
