import {
  type Employee,
  type EmployeeFields,
  type FieldName,
  fieldNames,
  pickFields,
} from '../../../contract/employees.ts'
import { fieldsWith, nameOf } from '../../support/people.ts'
import type { Browser, Tab } from '../browser/browser.ts'
import { storageFaults } from '../browser/indexed-db.ts'
import { Random } from '../engine/random.ts'
import { foreignAnswers, linkFaults, requestFaults } from '../network/link.ts'
import type { PageApi } from '../page/page.ts'
import { watchUnstored } from './checks.ts'
import type { Step, StepKind } from './scenario.ts'
import type { Person, Team } from './team.ts'

interface Context {
  team: Team
  step: Step
  person: Person
  random: Random
}

interface PageContext extends Context {
  tab: Tab
  page: PageApi
}

/** False if there was nothing to do. `later`: it is counted when it happens. */
type Done = boolean | 'later'

/** The steps of people, in an open page. */
const pageSteps: Partial<Record<StepKind, (context: PageContext) => unknown>> = {
  add: ({ page, tab, team }) => track(team, tab, 'add', page.add(newFields(team))),
  edit: (context) => edit(context, context.random.below(1_000)),
  'edit the same record': (context) => edit(context, 0),
  'edit the latest record': (context) => edit(context, context.page.book().length - 1),
  delete: ({ page, tab, team, random }) => {
    const employee = pickRecord(page, random.below(1_000))
    return employee && track(team, tab, 'delete', { done: page.remove(employee) })
  },
  'delete many': ({ page, tab, team, random }) => {
    const employees = page.book().filter(() => random.chance(0.4))
    return employees.length > 0 && track(team, tab, 'delete many', { done: page.removeMany(employees) })
  },
  'delete again': ({ page, tab, team }) => {
    const employee = page.book().at(-1)
    return employee && track(team, tab, 'delete again', { done: page.remove(employee) })
  },
  'edit and delete': (context) => {
    const { page, tab, team } = context
    const employee = pickRecord(page, 0)
    if (!employee || !edit(context, 0)) return false
    return track(team, tab, 'delete', { done: page.remove(employee) })
  },
  undo: ({ page, tab, team, random }) => {
    const entry = random.chance(0.7) ? page.undoEntries().at(-1) : random.pick(page.undoEntries())
    if (!entry) return false
    if (entry.state === 'imported') team.count('undo of an import')
    if (team.isFromEarlierPage(entry.id, tab)) team.count('undo after a reload')
    return track(team, tab, 'undo', { done: page.undo(entry.id) })
  },
  'undo deletes': ({ page, tab, team }) => {
    const ids = page.undoEntries().flatMap(({ id, state }) => (state === 'deleted' ? [id] : []))
    return ids.length > 0 && track(team, tab, 'undo deletes', { done: page.undoDeletes(ids) })
  },
  'restore a deleted record': ({ page, tab, team, random }) => {
    if (page.status() !== 'live') return false
    const done = page.restoreDeleted((ids) => {
      if (ids.length === 0) return
      const id = random.pick(ids)
      team.ledger.allowReturn(id)
      team.count('restore a deleted record')
      return id
    })
    team.track(tab, 'restore a deleted record', done)
    return 'later'
  },
  'several at once': (context) => {
    const { page, tab, team, random } = context
    if (!track(team, tab, 'add', page.add(newFields(team)))) return false
    edit(context, random.below(1_000))
    const employee = pickRecord(page, random.below(1_000))
    if (employee) track(team, tab, 'delete', { done: page.remove(employee) })
    edit(context, random.below(1_000))
    return true
  },
  import: ({ page, tab, team, random }) => {
    const add = Array.from({ length: 1 + random.below(4) }, () => newFields(team))
    const changed = random.chance(0.5) ? page.book()[random.below(page.book().length)] : undefined
    const update = changed ? [{ seen: changed, fields: { ...newFields(team), ...firstOf(changed) } }] : []
    return track(team, tab, 'import', { done: page.importBatch({ add, update, remove: [] }) })
  },
  // More than a stream catches up with: whoever reconnects then must read the list again.
  'import much': ({ page, tab, team }) => {
    const add = Array.from({ length: 27 }, () => ({ ...newFields(team), password: longPassword }))
    return track(team, tab, 'import much', { done: page.importBatch({ add, update: [], remove: [] }) })
  },
  retry: ({ page, tab, team, random }) => {
    const entry = pickRefused(page, random)
    return entry && track(team, tab, 'retry', { done: page.retry(entry.id) })
  },
  discard: ({ page, team, random, tab }) => {
    const entry = pickRefused(page, random)
    if (!entry) return false
    excuse(team, page, [entry.id])
    return track(team, tab, 'discard', { done: page.discard(entry.id) })
  },
  'edit an entry': ({ page, team, random, tab }) => {
    const entry = pickRefused(page, random)
    if (!entry || 'batch' in entry.operation) return false
    excuse(team, page, [entry.id])
    if (!page.editEntry(entry.id)) return false
    if (random.chance(0.7)) page.typeChanges(chooseChanges(team, random))
    return track(team, tab, 'edit an entry', page.submitForm())
  },
  type: ({ page, team }) => {
    page.type(newFields(team))
    return true
  },
  'begin an edit': ({ page, team, random }) => {
    const employee = pickRecord(page, random.chance(0.7) ? 0 : random.below(1_000))
    if (employee) page.type({ ...pickFields(employee), ...chooseChanges(team, random) }, employee)
    return employee !== undefined
  },
  'submit the form': ({ page, team, tab }) => {
    const form = page.form()
    if (!form || nameOf(form.fields) === '') return false
    return track(team, tab, 'submit the form', page.submitForm())
  },
  'log out': ({ page, team, tab, random, person }) => {
    const isConfirmed = random.chance(0.5)
    const { browser } = person
    if (isConfirmed && page.entries().some(page.isUnsaved)) team.count('log out with work waiting')
    const uid = page.uid()
    let isSignedOut = () => true
    const work = page.logOut(isConfirmed, {
      onSignOut() {
        isSignedOut = watchSession(team, browser)
      },
      onWipe() {
        for (const { page } of browser.tabs)
          if (page)
            excuse(
              team,
              page,
              page.entries().map(({ id }) => id),
            )
        team.excuseStored(browser, (_entryId, owner) => owner === uid)
      },
    })
    void work.then((isLoggedOut) => {
      if (!isLoggedOut) return
      if (!isSignedOut()) team.report(`${tab.name} is logged out, but its session goes on`)
      // What could not be deleted is sent when they sign in again.
      if (team.hasStorageFailed(browser)) team.ledger.allowRepeated(team.storedIds(browser))
      if (team.isStoredAfterLogout(browser, uid))
        team.report(`${tab.name} is logged out, but its work is stored`)
    })
    return track(team, tab, 'log out', { done: work })
  },
  'sign in again': ({ page, team, tab, person }) => {
    if (page.status() !== 'account' && page.status() !== 'signed-out') return false
    return track(team, tab, 'sign in', { done: page.signIn(person.email, person.password) })
  },
  'sign in as another': ({ page, team, tab, random }) => {
    if (page.status() !== 'account') return false
    const { email, password } = random.pick(team.people)
    return track(team, tab, 'sign in as another', { done: page.signIn(email, password) })
  },
  // Another tab shows the register meanwhile.
  'switch accounts': ({ page, team, tab, random, person }) => {
    const { tabs } = person.browser
    const others = team.people.filter(({ email }) => email !== page.email())
    const isLast = tabs.findLast((other) => other.page && other.page.status() !== 'account') === tab
    if (tabs.length < 2 || !isLast || others.length === 0 || page.status() === 'account') return false
    const { email, password } = random.pick(others)
    return track(team, tab, 'switch accounts', { done: page.signIn(email, password) })
  },
  'remove a colleague': ({ page, team, tab, random, person }) =>
    changeTeam('remove', { page, team, tab, random, person }),
  'let a colleague in': ({ page, team, tab, random, person }) =>
    changeTeam('let in', { page, team, tab, random, person }),
  'end other sessions': ({ page, team, tab }) =>
    track(team, tab, 'end other sessions', { done: page.endOtherSessions() }),
}

/** What happens to a tab that is open. */
const tabSteps: Partial<Record<StepKind, (context: Context & { tab: Tab }) => unknown>> = {
  'close a tab': ({ team, tab }) => {
    leave(team, tab)
    tab.close()
  },
  reload: ({ team, tab }) => {
    leave(team, tab)
    tab.reload()
  },
  'reload with a newer build': ({ team, tab }) => {
    leave(team, tab)
    tab.browser.isUpdated = true
    tab.reload()
  },
  'duplicate a tab': ({ tab }) => void tab.browser.openTab(new Map(tab.session)),
  freeze: ({ team, tab, step }) => {
    const { owner, browser } = tab
    if (owner?.state !== 'running' || browser.indexedDb.isUsedBy(owner)) return false
    owner.state = 'frozen'
    team.later(step.ms, () => owner.state === 'frozen' && !browser.isAsleep && team.clock.thaw(owner))
  },
  hide: ({ tab }) => tab.show(false),
  show: ({ tab }) => tab.show(true),
}

/** What happens to a browser, the network or the server. */
const worldSteps: Partial<Record<StepKind, (context: Context) => unknown>> = {
  'open a tab': ({ person }) => void (person.browser.tabs.length < 4 && person.browser.openTab()),
  'restart the browser': ({ team, person }) => {
    const { browser } = person
    const sessions = browser.tabs.map(({ session }) => session)
    for (const tab of [...browser.tabs]) {
      leave(team, tab)
      tab.close()
    }
    for (const session of sessions) browser.openTab(session)
  },
  'page clock jumps': ({ person, random }) => {
    person.browser.clockErrorMs += chooseJump(random)
  },
  'server clock jumps': ({ team, random }) => {
    team.server.clockErrorMs += chooseJump(random)
  },
  'storage cleared': ({ team, person }) => {
    const { browser } = person
    const shown = new Set(browser.tabs.flatMap(({ page }) => page?.entries().map(({ id }) => id) ?? []))
    team.excuseStored(browser, (entryId) => !shown.has(entryId))
    // What somebody else has left is deleted before it is stored.
    const kept = new Set(browser.tabs.flatMap(({ page }) => page?.keptIds() ?? []))
    for (const each of team.hasStorageFailed(browser) ? team.ledger.submissions.values() : [])
      if (
        each.state === 'open' &&
        each.who === person.name &&
        !shown.has(each.entryId) &&
        !kept.has(each.entryId)
      )
        each.state = 'excused'
    browser.clearStorage()
  },
  'cookies cleared': ({ person }) => person.browser.link.cookies.clear(),
  // It counts itself when it strikes.
  'messages late': ({ team, person, step }) => {
    const { channels } = person.browser
    channels.areLate = true
    team.later(step.ms, () => {
      channels.areLate = false
    })
    return 'later'
  },
  'hidden tabs throttled': ({ team, person, step }) => {
    const { browser } = person
    const [first, ...others] = browser.tabs
    for (const tab of others.length > 0 ? others : [first]) tab?.show(false)
    browser.isThrottling = true
    team.later(step.ms, () => {
      browser.isThrottling = false
    })
  },
  'storage connections closed': ({ person }) => person.browser.indexedDb.closeConnections(),
  'server killed': (context) => crash(context, 'now'),
  'killed before a commit': (context) => crash(context, 'before commit'),
  'killed after a commit': (context) => crash(context, 'after commit'),
  'disk full': ({ team, step }) => {
    team.server.database.isFull = true
    team.later(step.ms, () => {
      team.server.database.isFull = false
    })
  },
  throttling: ({ team, step }) => {
    team.server.isThrottling = true
    team.later(step.ms, () => {
      team.server.isThrottling = false
    })
    return 'later'
  },
  'a day offline': ({ team, step }) => {
    for (const { browser } of team.people) sleep(team, browser, step.ms)
    // Nobody asks it for anything.
    team.server.pause()
    team.later(dayMs, () => team.server.resume())
  },
  'connections cut': ({ person }) => person.browser.link.cut(),
}

const longPassword = 'x'.repeat(10_000)

const minuteMs = 60_000
export const dayMs = 24 * 60 * minuteMs

/** A machine without a network sleeps for a day. It has its network again some ms after it is woken. */
function sleep(team: Team, browser: Browser, offlineMs: number): void {
  const { link, tabs } = browser
  link.faults.add('offline')
  browser.reportOnline()
  link.cut()
  browser.isAsleep = true
  for (const tab of tabs) fallAsleep(team, tab)
  team.later(dayMs, () => {
    browser.isAsleep = false
    for (const { owner } of tabs) if (owner?.state === 'frozen') team.clock.thaw(owner)
  })
  team.later(dayMs + offlineMs, () => {
    link.faults.delete('offline')
    browser.reportOnline()
  })
}

/** Freezes a tab of a machine that sleeps, as soon as it has stored what it is storing. */
function fallAsleep(team: Team, tab: Pick<Tab, 'owner' | 'browser'>): void {
  const { owner, browser } = tab
  if (owner?.state !== 'running' || !browser.isAsleep) return
  if (browser.indexedDb.isUsedBy(owner)) team.later(1_000, () => fallAsleep(team, tab))
  else owner.state = 'frozen'
}

/** Ends a page. What it has not stored is lost. */
export function leave(team: Team, tab: Tab): void {
  team.scan(tab)
  const findUnstored = watchUnstored(team, tab)
  team.unfinished.delete(tab.owner?.name ?? '')
  tab.unload()
  for (const problem of findUnstored()) team.report(problem)
}

const yearMs = 365 * dayMs

const chooseJump = (random: Random) =>
  random.pick([-1, 1]) * random.pick([2 * minuteMs, 40 * minuteMs, 40 * minuteMs, yearMs])

/** Performs a step, in the first of the person's tabs in which it can be done, and counts it then. */
export function performStep(team: Team, step: Step, person: Person) {
  const { kind } = step
  const context = { team, step, person, random: new Random(step.pick, kind) }
  const [world, ofTab, ofPage] = [worldSteps[kind], tabSteps[kind], pageSteps[kind]]
  if (!world && !ofTab && !ofPage) return armFault(context)
  if (world) {
    team.log(person.name, `[${kind}]`)
    const isDone = world(context)
    if (isDone !== false && isDone !== 'later') team.count(kind)
    return
  }
  const { tabs } = person.browser
  const start = step.tab % Math.max(1, tabs.length)
  for (const tab of [...tabs.slice(start), ...tabs.slice(0, start)]) {
    const { page, owner } = tab
    const isRunning = owner?.state === 'running'
    const isDone = ofTab
      ? ofTab({ ...context, tab }) !== false
      : page && isRunning && ofPage?.({ ...context, tab, page })
    if (!isDone) continue
    team.log(tab.name, `[${kind}]`)
    if (isDone !== 'later') team.count(kind)
    return
  }
}

/** Faults count themselves when they strike. */
function armFault({ team, step, person, random }: Context): void {
  const { kind, ms } = step
  const { link, indexedDb } = person.browser
  team.log(person.name, `[${kind}, ${ms} ms]`)
  if (isOneOf(kind, storageFaults)) {
    indexedDb.faults.add(kind)
    team.later(ms, () => indexedDb.faults.delete(kind))
  } else if (isOneOf(kind, linkFaults)) {
    link.faults.add(kind)
    link.pageAnswer = random.chance(0.5) ? 0 : random.below(foreignAnswers.length)
    if (kind === 'offline') {
      person.browser.reportOnline()
      link.cut()
    }
    team.later(ms, () => {
      link.faults.delete(kind)
      if (kind === 'offline') person.browser.reportOnline()
    })
  } else if (isOneOf(kind, requestFaults)) {
    const kinds = ['any', 'write', 'write', 'list', 'stream', 'account'] as const
    link.armed.push({ fault: kind, kind: step.of ?? random.pick(kinds) })
  }
}

const isOneOf = <T extends string>(text: string, all: readonly T[]): text is T =>
  (all as readonly string[]).includes(text)

function crash({ team, step }: Context, point: 'now' | 'before commit' | 'after commit'): Done {
  if (!team.server.isRunning) return false
  team.server.crash(point, step.ms)
  return point === 'now' || 'later'
}

function changeTeam(
  change: 'remove' | 'let in',
  { page, team, tab, random, person }: Pick<PageContext, 'page' | 'team' | 'tab' | 'random' | 'person'>,
) {
  const others = team.people.filter((other) => other !== person)
  if (others.length === 0 || page.status() !== 'live') return false
  const removed = team.server.database.removedEmails()
  const candidates = change === 'let in' ? others.filter(({ email }) => removed.has(email)) : others
  if (candidates.length === 0) return false
  const { email } = random.pick(candidates)
  const done = page.changeTeam(change, email, person.password)
  if (change === 'let in') team.letInAt.set(email, team.clock.now)
  else
    void done.then(
      (isDone) => {
        const letInAt = team.letInAt.get(email) ?? Number.NEGATIVE_INFINITY
        const isBack = team.clock.now - letInAt < maxRequestMs
        if (isDone && !isBack && !team.server.database.removedEmails().has(email))
          team.report(`${tab.name} has removed ${email}, whose account goes on`)
      },
      () => {},
    )
  return track(team, tab, change, { done })
}

/** A request that was begun so long ago, in ms, has no effect any more. */
const maxRequestMs = 2 * minuteMs

/** Returns a function that tells whether the session that the browser has now was ended. */
function watchSession({ server }: Team, { link }: Browser): () => boolean {
  const tokens = [...link.cookies.values()]
  return () => !server.database.hasSession(tokens)
}

function track(
  team: Team,
  tab: Tab,
  what: string,
  begun: { done: Promise<unknown> | undefined } | undefined,
): boolean {
  if (!begun?.done) return false
  team.track(tab, what, begun.done)
  return true
}

/** The person gives these changes up. */
function excuse(team: Team, page: PageApi, ids: string[]): void {
  const given = new Set(page.entries().flatMap((entry) => (page.isUnsaved(entry) ? [entry.id] : [])))
  for (const submission of team.ledger.submissions.values()) {
    const { entryId, state } = submission
    if (state === 'open' && ids.includes(entryId) && given.has(entryId)) submission.state = 'excused'
  }
}

function edit({ page, tab, team, random }: PageContext, index: number) {
  const employee = pickRecord(page, index)
  if (!employee) return false
  return track(team, tab, 'edit', page.edit(employee, chooseChanges(team, random)))
}

/** New texts for some fields, but for the first. */
function chooseChanges(team: Team, random: Random): Partial<EmployeeFields> {
  const fields = newFields(team)
  const [, ...others] = fieldNames
  const changed = random.chance(0.3) ? others : [random.pick(others)]
  return Object.fromEntries(changed.map((name) => [name, fields[name]]))
}

function pickRecord(page: PageApi, index: number): Employee | undefined {
  const book = page.book()
  return book[index % Math.max(1, book.length)]
}

function pickRefused(page: PageApi, random: Random) {
  const refused = page.entries().flatMap((entry) => (entry.state === 'refused' ? [entry] : []))
  return refused.length > 0 ? random.pick(refused) : undefined
}

/** A record that no other step adds or changes to. The first field names it. */
const newFields = (team: Team) => fieldsWith(`t${team.tokenCount++}`)

const [nameField] = fieldNames
const firstOf = (employee: Employee) => ({ [nameField as FieldName]: nameOf(employee) })
