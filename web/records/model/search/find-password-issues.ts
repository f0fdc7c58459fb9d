import commonPasswords from '../../../../contract/common-passwords.txt?raw'
import { type Employee, fieldOf } from '../../../../contract/employees.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { currentTime } from '../../../lib/times.ts'
import { visibleFieldNames } from '../fields.ts'
import { estimateStrength, setCommonPasswords } from '../passwords/password-strength.ts'
import type { PasswordIssues } from './search-params.ts'

// The list is part of this lazy chunk. Once it is loaded, the form's hint knows it too.
setCommonPasswords(new Set(commonPasswords.split(/\r?\n/)))

/** Whether the password of a record is weak. A changed record is another object, so an entry never becomes wrong. */
const weaknessCache = new WeakMap<Employee, boolean>()

/** Checking so many passwords takes 0.2 ms on a slow laptop. */
const recordsPerStep = 32

/** Finds the records with a weak password, as the form's hint tells, that of another record, or an old one. */
export function* findPasswordIssues(
  employees: readonly Employee[],
  oldPasswords: ReadonlyMap<string, string>,
): Generator<void, PasswordIssues, void> {
  const weak = new Set<string>()
  const reused = new Set<string>()
  const old = new Set<string>()
  const firstIdByPassword = new Map<string, string>()
  for (const [index, employee] of employees.entries()) {
    const { id, password } = employee
    if (isWeak(employee)) weak.add(id)
    if (oldPasswords.get(id) === password) old.add(id)
    const firstId = firstIdByPassword.get(password)
    if (firstId === undefined) firstIdByPassword.set(password, id)
    else reused.add(firstId).add(id)
    if (index % recordsPerStep === 0) yield
  }
  return { weak, reused, old }
}

function isWeak(employee: Employee): boolean {
  const cached = weaknessCache.get(employee)
  if (cached !== undefined) return cached
  const { level } = estimateStrength(
    employee.password,
    visibleFieldNames.map((name) => fieldOf(employee, name)),
  )
  const isWeak = level === 'weak' || level === 'very weak'
  weaknessCache.set(employee, isWeak)
  return isWeak
}

/** A password is old if it has not changed for so many years. */
const oldAfterYears = 1

/**
 * Returns the old passwords, by the ids of their records. One that has changed since `employees` were read is not old. Only
 * what was changed before today counts, so that all pages of a day send the same request.
 */
export async function loadOldPasswords(
  history: HistoryService | undefined,
  employees: readonly Employee[],
): Promise<ReadonlyMap<string, string>> {
  if (!history) return new Map()
  const until = new Date(currentTime())
  until.setUTCHours(0, 0, 0, 0)
  until.setUTCFullYear(until.getUTCFullYear() - oldAfterYears)
  const oldIds = new Set(await history.listOldPasswords(until.toISOString()))
  return new Map(employees.filter(({ id }) => oldIds.has(id)).map(({ id, password }) => [id, password]))
}
