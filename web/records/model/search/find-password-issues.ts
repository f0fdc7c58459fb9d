import commonPasswords from '../../../../contract/common-passwords.txt?raw'
import { type Employee, fieldOf } from '../../../../contract/employees.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { type Message, msg, t } from '../../../language/translate.ts'
import { currentTime } from '../../../lib/times/clock.ts'
import { visibleFieldNames } from '../fields.ts'
import {
  estimateStrength,
  type PasswordStrength,
  setCommonPasswords,
} from '../passwords/password-strength.ts'
import type { PasswordIssue, PasswordIssues } from './search-params.ts'

// The list is part of this lazy chunk. Once it is loaded, the form's hint knows it too.
setCommonPasswords(new Set(commonPasswords.split(/\r?\n/)))

/** The strength of the password of a record. A changed record is another object, so an entry never becomes wrong. */
const levelCache = new WeakMap<Employee, PasswordStrength['level']>()

/** The words for weak passwords, the weakest first. */
const weakLevels = { 'very weak': msg('Very weak'), weak: msg('Weak') } satisfies Partial<
  Record<PasswordStrength['level'], Message>
>

/** Checking so many passwords takes 0.2 ms on a slow laptop. */
const recordsPerStep = 32

/**
 * Finds the records with a weak password, as the form's hint tells, that of another record, or an old one. Each issue is in words,
 * and has the rank of its group: the very weak stand before the weak, and the records of a password one after the other.
 */
export function* findPasswordIssues(
  employees: readonly Employee[],
  oldPasswords: ReadonlyMap<string, string>,
): Generator<void, PasswordIssues, void> {
  const weak = { 'very weak': [] as string[], weak: [] as string[] }
  const old: string[] = []
  const indicesByPassword = new Map<string, number[]>()
  for (const [index, employee] of employees.entries()) {
    const { id, password } = employee
    const level = levelOf(employee)
    if (level === 'weak' || level === 'very weak') weak[level].push(id)
    if (oldPasswords.get(id) === password) old.push(id)
    const indices = indicesByPassword.get(password)
    if (indices) indices.push(index)
    else indicesByPassword.set(password, [index])
    if (index % recordsPerStep === 0) yield
  }
  const weakIssues = Object.entries(weakLevels).flatMap(([level, message], rank) => {
    const issue = { note: t(message), rank }
    return weak[level as keyof typeof weak].map((id) => [id, issue] as const)
  })
  const oldIssue = { note: t('Over a year old'), rank: 0 }
  return {
    weak: new Map(weakIssues),
    reused: yield* describeReuse(employees, indicesByPassword),
    old: new Map(old.map((id) => [id, oldIssue])),
  }
}

/** Says of each record whose password others have which these are, by their numbers in the table. */
function* describeReuse(
  employees: readonly Employee[],
  indicesByPassword: ReadonlyMap<string, readonly number[]>,
): Generator<void, Map<string, PasswordIssue>, void> {
  const issues = new Map<string, PasswordIssue>()
  let rank = 0
  for (const indices of indicesByPassword.values()) {
    if (indices.length === 1) continue
    rank++
    for (const index of indices) {
      const [first = 0, second = 0] = indices.slice(0, 3).filter((other) => other !== index)
      const others = { number: first + 1, second: second + 1, more: indices.length - 2 }
      issues.set(employees[index]?.id ?? '', { note: describeSame(others), rank })
      if (issues.size % recordsPerStep === 0) yield
    }
  }
  return issues
}

/** `more`: how many others there are beside the one of this `number`; if there is one, it has the number `second`. */
function describeSame(others: { number: number; second: number; more: number }): string {
  if (others.more === 0) return t('Same as {number, number}', others)
  if (others.more === 1) return t('Same as {number, number} and {second, number}', others)
  return t('Same as {number, number} and {more, number} others', others)
}

function levelOf(employee: Employee): PasswordStrength['level'] {
  const cached = levelCache.get(employee)
  if (cached) return cached
  const { level } = estimateStrength(
    employee.password,
    visibleFieldNames.map((name) => fieldOf(employee, name)),
  )
  levelCache.set(employee, level)
  return level
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
