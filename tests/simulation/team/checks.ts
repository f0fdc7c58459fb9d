import { type Employee, hasSameFields } from '../../../contract/employees.ts'
import type { Entry } from '../../../web/records/model/outbox/entry.ts'
import { namesOf } from '../../support/people.ts'
import type { Tab } from '../browser/browser.ts'
import type { PageApi } from '../page/page.ts'
import { keyOf, type Submission } from './ledger.ts'
import type { Team } from './team.ts'

/** What pages show that the server does not have, and the reverse; and what is neither saved nor shown as not saved. */
export function findDivergence(team: Team): string[] {
  const list = team.server.database.list()
  const problems: string[] = []
  for (const { name, page, isFrozen } of team.tabs) {
    if (!page || isFrozen) continue
    if (page.status() !== 'live') problems.push(`${name} is ${page.status()}`)
    const book = page.book()
    if (!book.every(Boolean)) {
      problems.push(`${name} shows what is no record`)
      continue
    }
    const ids = book.map(({ id }) => id).join()
    const expectedIds = list.map(({ id }) => id).join()
    if (ids !== expectedIds) problems.push(`${name} shows ${describe(book)} instead of ${describe(list)}`)
    else {
      const other = book.find((employee, i) => !hasSameFields(employee, list[i] as Employee))
      if (other)
        problems.push(
          `${name} shows ${JSON.stringify(other)} instead of ${JSON.stringify(list.find(({ id }) => id === other.id))}`,
        )
    }
    for (const entry of page.entries())
      if (entry.state === 'sending' || page.isWaiting(entry))
        problems.push(`${name} still waits: ${describeEntry(page, entry)}`)
    if (page.countQueues() > 0) problems.push(`${name} is still sending`)
    if (!page.isDurable()) problems.push(`${name} stores nothing, though it could`)
  }
  return [...problems, ...findLost(team)]
}

const describe = (records: Employee[]) => `[${namesOf(records).join()}]`

const describeEntry = (page: PageApi, entry: Entry) =>
  'operation' in entry
    ? `${entry.state} ${keyOf(page.uid(), entry.operation)} ${'refusal' in entry ? entry.refusal.code : ''}`
    : entry.state

/** What was submitted, has no effect, and is shown nowhere. */
function findLost(team: Team): string[] {
  const { ledger, people } = team
  const shown = new Set(
    team.tabs.flatMap(({ page }) =>
      (page?.entries() ?? []).flatMap((entry) =>
        'operation' in entry ? [keyOf(page?.uid(), entry.operation)] : [],
      ),
    ),
  )
  const shownIds = new Set(
    team.tabs.flatMap(({ page }) => [
      ...(page?.entries() ?? []).map(({ id }) => id),
      ...(page?.keptIds() ?? []),
    ]),
  )
  // Of somebody else who has used the browser: it is shown when they sign in there again. Of a frozen tab, in which nobody is
  // signed in, or which is still loading: it is shown when somebody returns to it.
  const stored = new Set(
    people.flatMap(({ browser: { tabs, indexedDb } }) => {
      const isShown = (uid: string | undefined) =>
        tabs.some(({ page }) => page?.uid() === uid) &&
        !tabs.some(({ page, isFrozen }) => isFrozen && (page?.uid() !== uid || !page?.isReady()))
      const names = indexedDb.names().map((name) => name.split('/'))
      return names.flatMap(([uid, _row, id]) => (isShown(uid) ? [] : [id]))
    }),
  )
  return [...ledger.submissions]
    .filter(([key, submission]) => {
      if (submission.state !== 'open' || shown.has(key) || shownIds.has(submission.entryId)) return false
      return !stored.has(submission.entryId) && !ledger.hasEffect(submission)
    })
    .map(
      ([key, { who, operation, at }]) =>
        `${who}'s ${operation.kind} of ${(at / 1000).toFixed(3)} is lost: ${key}`,
    )
}

/** Work that has begun and never ended. */
export function findUnfinished({ unfinished, people }: Team): string[] {
  const running = people.flatMap(({ browser }) => browser.tabs.filter(({ isFrozen }) => !isFrozen))
  const open = new Set(running.map(({ owner }) => owner?.name))
  return [...unfinished].flatMap(([owner, works]) =>
    open.has(owner) ? [...works].map((work) => `${owner}: ${work} never ended`) : [],
  )
}

/** Whoever ends a page is asked, if only that has something that another user has left. */
export function excuseKept({ ledger, tabs }: Pick<Team, 'ledger' | 'tabs'>): void {
  const kept = new Set(tabs.flatMap(({ page }) => page?.keptIds() ?? []))
  for (const each of ledger.submissions.values())
    if (each.state === 'open' && kept.has(each.entryId)) each.state = 'excused'
}

/** Time in which a page stores what is submitted, or says that it can't, in ms. */
const storedWithinMs = 15_000

/**
 * Call before a page ends. The returned function, to be called afterwards, excuses what only this page had, and returns what it
 * should have stored.
 */
export function watchUnstored(team: Team, tab: Tab): () => string[] {
  const { page, name, browser, owner } = tab
  const { ledger, clock } = team
  const entries = page?.entries().filter((entry) => page.isUnsaved(entry)) ?? []
  const mustStore = page?.isDurable() && owner?.state === 'running'
  const uid = page?.uid()
  const isLoading = page?.isReady() === false
  const isNew = ({ at }: Submission) => clock.now - at <= storedWithinMs
  excuseKept({ ledger, tabs: [tab] })
  return () => {
    const stored = team.storedIds(browser)
    // The page waits some seconds before it says that nothing is stored.
    if (page?.isDurable() === false || team.hasStorageFailed(browser)) ledger.allowRepeated(stored)
    // The page shows nothing while it loads what an earlier visit may still be storing.
    for (const each of ledger.submissions.values())
      if (
        isLoading &&
        each.page === owner &&
        each.state === 'open' &&
        isNew(each) &&
        !stored.has(each.entryId)
      )
        each.state = 'excused'
    return entries.flatMap((entry) => {
      if (stored.has(entry.id) || !('operation' in entry)) return []
      const submission = ledger.submissions.get(keyOf(uid, entry.operation))
      if (submission?.state !== 'open') return []
      // A retry may have made an update a restore.
      for (const each of ledger.submissions.values())
        if (each.entryId === entry.id && each.state === 'open') each.state = 'excused'
      return mustStore && !isNew(submission)
        ? [`${name} did not store its ${entry.operation.kind}, and did not say so`]
        : []
    })
  }
}
