import { type Employee, fieldsOf, sameFields } from '../../contract/employees.ts'
import { hasPassword } from '../auth/password-hash.ts'
import type { Account, AccountStorage, BookStorage } from '../storage/storage.ts'
import type { LeftOut } from './export-accounts.ts'
import type { Content } from './export-file.ts'

export interface Brought {
  records: BroughtRecords
  accounts: { brought: number; there: number; leftOut: LeftOut[]; withoutPassword: string[] }
}

export interface BroughtRecords {
  brought: number
  /** They were there already, just so. */
  there: number
  /** The ids of records that are there with other fields, and that were left as they are. */
  kept: string[]
}

/**
 * Brings records and accounts into a register, under their ids and in their order, behind those that are there; a record
 * that was removed comes back to its old place. What is there is left as it is, so the same can be brought again. All of
 * it is asked for in one turn of the event loop, which an embedded storage commits whole or not at all.
 */
export async function bringIn(
  { books, accounts }: { books: BookStorage; accounts: AccountStorage },
  wanted: Content,
): Promise<Brought> {
  const before = await readAll(books)
  const removed = new Set((await books.latestRemovals(mostRemovals)).map(({ id }) => id))
  const missing = wanted.books.filter(({ id }) => !before.has(id))
  const { newcomers, there, leftOut } = sort(wanted.accounts, await accounts.list())
  const [added] = await Promise.all([
    Promise.all(newcomers.map((account) => accounts.add(account))),
    books.writeBatch({ add: missing.filter(({ id }) => !removed.has(id)), update: [], remove: [] }),
    ...missing.filter(({ id }) => removed.has(id)).map(({ id, ...fields }) => books.restore(id, fields)),
  ])
  const refused = newcomers.filter((_, i) => !added[i])
  const brought = newcomers.filter((_, i) => added[i])
  return {
    records: compare(wanted.books, before, await readAll(books)),
    accounts: {
      brought: brought.length,
      there: there.length,
      leftOut: [...leftOut, ...refused.map(({ email }) => ({ account: email, why: emailIsTaken }))],
      withoutPassword: brought
        .filter(({ passwordHash }) => !hasPassword(passwordHash))
        .map(({ email }) => email),
    },
  }
}

/** As many as a database counts in one question. */
const mostRemovals = 2 ** 31 - 1

const emailIsTaken = 'another account has its email'

/** All records by their ids, in order of creation. */
export async function readAll(books: Pick<BookStorage, 'load'>): Promise<Map<string, Employee>> {
  const found = new Map<string, Employee>()
  for await (const page of books.load()) {
    for (const { id, ...fields } of page) found.set(id, { id, ...fieldsOf(fields) })
  }
  return found
}

/** What has become of the records that were wanted, from what was there before and after. */
export function compare(
  wanted: Employee[],
  before: Map<string, Employee>,
  after: Map<string, Employee>,
): BroughtRecords {
  const isAsWanted = (book: Employee) => {
    const found = after.get(book.id)
    return found !== undefined && sameFields(found, book)
  }
  const asWanted = wanted.filter(isAsWanted)
  const there = asWanted.filter(({ id }) => before.has(id)).length
  return {
    brought: asWanted.length - there,
    there,
    kept: wanted.filter((book) => !isAsWanted(book)).map(({ id }) => id),
  }
}

/** Of the accounts, those that are new, those that are there, and those whose email or id is somebody else's. */
function sort(wanted: Account[], present: Account[]) {
  const uids = new Set(present.map(({ uid }) => uid))
  const emails = new Map(present.map(({ uid, emailKey }) => [emailKey, uid]))
  const sorted = { newcomers: [] as Account[], there: [] as Account[], leftOut: [] as LeftOut[] }
  for (const account of wanted) {
    const { uid, emailKey, email } = account
    if (emails.get(emailKey) === uid) sorted.there.push(account)
    else if (emails.has(emailKey)) sorted.leftOut.push({ account: email, why: emailIsTaken })
    else if (uids.has(uid)) sorted.leftOut.push({ account: email, why: 'another account has its id' })
    else {
      sorted.newcomers.push(account)
      uids.add(uid)
      emails.set(emailKey, uid)
    }
  }
  return sorted
}
