import { type Employee, includesFields, pickFields } from '../../contract/employees.ts'
import { hasPassword } from '../auth/password-hash.ts'
import { isFormer } from '../storage/sql/accounts.ts'
import type { Account, EmployeeStorage, Storage } from '../storage/storage.ts'
import type { ExportContent } from './export-file.ts'

export type ImportResult = Awaited<ReturnType<typeof importContent>>

/**
 * Adds records and accounts with their ids and in order, after the existing ones. Restores removed records to their old
 * position. Does not change existing ones, so an import can be repeated. Sends all writes in one turn of the event loop,
 * so that SQLite commits them in one transaction. Operators' scripts read the result as JSON: its keys must not change.
 */
export async function importContent(
  { employees, accounts, history }: Pick<Storage, 'employees' | 'accounts' | 'history'>,
  content: ExportContent,
  withRemoved = false,
) {
  const before = await loadEmployees(employees)
  const removed = new Set((await employees.latestRemovals(maxRemovals)).map(({ id }) => id))
  const missing = content.books.filter(({ id }) => !before.has(id))
  const wasRemoved = isFormer(await history.listPeople())
  const { unknown, there, leftOut } = classifyAccounts(content.accounts, await accounts.list())
  const newAccounts = withRemoved ? unknown : unknown.filter((account) => !wasRemoved(account))
  const [added] = await Promise.all([
    Promise.all(newAccounts.map((account) => accounts.add(account))),
    employees.writeBatch({ add: missing.filter(({ id }) => !removed.has(id)), update: [], remove: [] }),
    ...missing.filter(({ id }) => removed.has(id)).map(({ id, ...fields }) => employees.restore(id, fields)),
  ])
  const taken = newAccounts.filter((_, i) => !added[i])
  const imported = newAccounts.filter((_, i) => added[i])
  const withoutPassword = imported.filter(({ passwordHash }) => !hasPassword(passwordHash))
  return {
    records: compareRecords(content.books, before, await loadEmployees(employees)),
    accounts: {
      brought: imported.length,
      there,
      leftOut: [...leftOut, ...taken.map(({ email }) => ({ account: email, why: emailTakenReason }))],
      withoutPassword: withoutPassword.map(({ email }) => email),
      /** Those that had been removed. They were imported only with `withRemoved`. */
      removed: unknown.filter(wasRemoved).map(({ email }) => email),
    },
  }
}

/** The largest LIMIT of both databases. */
const maxRemovals = 2 ** 31 - 1

const emailTakenReason = 'another account has its email'

export async function loadEmployees(employees: Pick<EmployeeStorage, 'load'>) {
  const found = new Map<string, Employee>()
  for await (const page of employees.load()) {
    for (const { id, ...fields } of page) found.set(id, { id, ...pickFields(fields) })
  }
  return found
}

function compareRecords(requested: Employee[], before: Map<string, Employee>, after: Map<string, Employee>) {
  const isAsRequested = (book: Employee) => {
    const found = after.get(book.id)
    return found !== undefined && includesFields(found, book)
  }
  const matching = requested.filter(isAsRequested)
  /** The number of records that were present with the same fields. */
  const there = matching.filter(({ id }) => before.has(id)).length
  /** The ids of records that are present with other fields. They were not changed. */
  const kept = requested.filter((book) => !isAsRequested(book)).map(({ id }) => id)
  return { brought: matching.length - there, there, kept }
}

/** Separates new accounts from existing ones, and from those whose email or id belongs to another account. */
function classifyAccounts(requested: Account[], existingAccounts: Account[]) {
  const uids = new Set(existingAccounts.map(({ uid }) => uid))
  const emails = new Map(existingAccounts.map(({ uid, emailKey }) => [emailKey, uid]))
  const unknown: Account[] = []
  const leftOut: { account: string; why: string }[] = []
  let there = 0
  for (const account of requested) {
    const { uid, emailKey, email } = account
    if (emails.get(emailKey) === uid) there++
    else if (emails.has(emailKey)) leftOut.push({ account: email, why: emailTakenReason })
    else if (uids.has(uid)) leftOut.push({ account: email, why: 'another account has its id' })
    else {
      unknown.push(account)
      uids.add(uid)
      emails.set(emailKey, uid)
    }
  }
  return { unknown, there, leftOut }
}
