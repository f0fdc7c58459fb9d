import { fieldsWith } from '../../support/people.ts'
import type { Tab } from '../browser/browser.ts'
import { settled } from '../engine/clock.ts'
import { excuseKept, findDivergence, findUnfinished } from './checks.ts'
import type { Programs } from './programs.ts'
import type { Scenario, Situation, Step, StepKind } from './scenario.ts'
import { dayMs, leave, performStep } from './steps.ts'
import { type Person, Team } from './team.ts'
import { findLeaks, measureUsage } from './usage.ts'

/** What a simulation has found. */
export interface Outcome {
  problems: string[]
  /** What happened, a line each, with the time and who. */
  timeline: string[]
  /** How often each kind of step and fault has really happened. */
  counts: Map<StepKind | Situation, number>
  /** The answers of the server, by status. */
  statuses: Map<number, number>
  virtualMs: number
  taskCount: number
}

const names = ['Ada', 'Grace', 'Alan', 'Mary', 'Kurt', 'Emmy']

/** The team must agree within this time after the last fault, in ms. */
const convergenceMs = 60_000
/** For so long the pages are watched at least, in ms: they may not change any more. */
const leastMs = { afterFaults: 10_000, afterReload: 5_000 }
/** Without faults, a change is shown everywhere within this time, in ms. */
const calmMs = 10_000
/** How often people look whether they are signed in, in ms. */
const attentionMs = 5_000
/** After a reload, a page shows what is saved within this time, in ms. */
const reloadMs = 15_000
/** Time for what was started to end, in ms. */
const restMs = 5_000

/** Runs a scenario: first the faults, then all of them end, and the team must agree. */
export async function simulate(scenario: Scenario, programs: Programs): Promise<Outcome> {
  const team = new Team(scenario, programs)
  const { clock } = team
  await team.server.start()
  await gather(team)
  let startedAt = clock.now
  for (const step of scenario.steps) {
    await clock.advance(Math.max(0, startedAt + step.at - clock.now))
    await perform(team, step)
    if (step.kind !== 'a day offline') continue
    await clock.advance(dayMs)
    startedAt += dayMs
  }
  await clock.advance(1_000)
  await heal(team)
  await check(team)
  await end(team)
  const { timeline, counts, statuses, problems } = team
  return { problems, timeline, counts, statuses, virtualMs: clock.now, taskCount: clock.taskCount }
}

/** Everybody creates an account, signs in and opens their tabs. */
async function gather(team: Team): Promise<void> {
  for (const [i, count] of team.scenario.tabs.entries()) {
    const person = team.join(names[i] ?? `Person ${i}`)
    const { browser, email, password } = person
    const { page } = browser.openTab()
    await team.clock.advance(100)
    await wait(team, page?.signUp(email, password))
    await wait(team, page?.signIn(email, password))
    for (let n = 1; n < count; n++) browser.openTab()
  }
  await team.clock.advance(2_000)
}

/** Waits for work of a page, in virtual time. */
async function wait({ clock }: Team, work: Promise<unknown> | undefined): Promise<void> {
  let isDone = false
  const end = () => {
    isDone = true
  }
  work?.then(end, end)
  for (let i = 0; i < 100 && !isDone; i++) await clock.advance(100)
}

async function perform(team: Team, step: Step): Promise<void> {
  const person = team.people[step.who % team.people.length]
  if (!person) return
  performStep(team, step, person)
  for (const tab of team.tabs) team.scan(tab)
  // An undo looks first whether its change is being sent.
  await settled()
  for (const tab of team.tabs) team.scan(tab)
}

/** Ends all faults. */
async function heal(team: Team): Promise<void> {
  team.isHealing = true
  team.log('all', 'faults end')
  const { server, people } = team
  server.cancelCrash()
  server.database.isFull = false
  server.isThrottling = false
  if (!server.isRunning) await server.start()
  for (const { browser } of people) browser.heal()
  for (const email of server.database.removedEmails()) await letIn(team, email)
  await team.clock.advance(1_000)
  for (const person of people) await comeBack(team, person)
}

/** Somebody lets a colleague in again. */
async function letIn(team: Team, email: string): Promise<void> {
  const removed = team.server.database.removedEmails()
  const other = team.people.find((person) => !removed.has(person.email))
  if (!other) return
  const { page } = other.browser.openTab()
  await team.clock.advance(3_000)
  if (page?.status() !== 'live') await wait(team, page?.signIn(other.email, other.password))
  team.letInAt.set(email, team.clock.now)
  await wait(team, page?.changeTeam('let in', email, other.password))
}

/** A person opens the browser again, and looks at each tab. */
async function comeBack(team: Team, person: Person): Promise<void> {
  const { browser } = person
  browser.openTab()
  await team.clock.advance(2_000)
  for (const tab of browser.tabs) if (!tab.isFrozen) tab.show(true)
  await attend(team, person)
}

/** A person whose session has ended signs in again, and returns to the other tabs. */
async function attend(team: Team, { browser, email, password }: Person): Promise<void> {
  const isSignedOut = ({ page, isFrozen }: Tab) =>
    !isFrozen && (page?.status() === 'account' || page?.status() === 'signed-out')
  const [first, ...others] = browser.tabs.filter(isSignedOut)
  if (!first) return
  team.log(first.name, 'signs in again')
  await wait(team, first.page?.signIn(email, password))
  for (const tab of others) {
    if (!isSignedOut(tab)) continue
    leave(team, tab)
    tab.reload()
  }
}

async function check(team: Team): Promise<void> {
  await untilAgreed(team, { leastMs: leastMs.afterFaults, mostMs: convergenceMs })
  await checkCalm(team)
  await thaw(team)
  const { ledger } = team
  for (const problem of [...ledger.findRepeated(), ...ledger.findForeignAuthors()]) team.report(problem)
  if (team.problems.length > 0) return
  const used = await measureUsage(team)
  team.log('all', 'everybody reloads')
  excuseKept(team)
  for (const tab of team.tabs) tab.reload()
  await untilAgreed(team, { leastMs: leastMs.afterReload, mostMs: reloadMs })
  for (const problem of findLeaks(used, await measureUsage(team))) team.report(problem)
}

/** People return to the tabs that the browser has frozen in the background. */
async function thaw(team: Team): Promise<void> {
  const frozen = team.tabs.filter(({ isFrozen }) => isFrozen)
  if (frozen.length === 0 || team.problems.length > 0) return
  for (const tab of frozen) {
    team.log(tab.name, 'is looked at again')
    team.count('frozen after the faults')
    if (tab.owner) team.clock.thaw(tab.owner)
    tab.show(true)
  }
  await untilAgreed(team, { leastMs: leastMs.afterFaults, mostMs: convergenceMs })
}

/** Without faults, everybody sees a change at once. */
async function checkCalm(team: Team): Promise<void> {
  const tab = team.tabs.find(({ isFrozen }) => !isFrozen)
  if (!tab?.page || team.problems.length > 0) return
  team.log(tab.name, 'adds a record without faults')
  team.track(tab, 'add', tab.page.add(fieldsWith(`t${team.tokenCount++}`))?.done)
  team.scan(tab)
  await team.clock.advance(calmMs)
  team.takeCommit()
  for (const problem of findDivergence(team)) team.report(`${calmMs} ms after a change: ${problem}`)
}

/** Waits until all pages show what the server has, and nothing waits. Reports what they do not agree on at the end. */
async function untilAgreed(
  team: Team,
  { leastMs, mostMs }: { leastMs: number; mostMs: number },
): Promise<void> {
  for (let ms = attentionMs; ; ms += attentionMs) {
    await team.clock.advance(attentionMs)
    // A removal that was on its way takes effect late.
    for (const email of team.server.database.removedEmails()) await letIn(team, email)
    for (const person of team.people) await attend(team, person)
    team.takeCommit()
    for (const tab of team.tabs) team.scan(tab)
    const problems = [...findDivergence(team), ...findUnfinished(team)]
    if (ms < leastMs || (problems.length > 0 && ms < mostMs)) continue
    for (const problem of problems) team.report(problem)
    return
  }
}

async function end(team: Team): Promise<void> {
  const { server } = team
  for (const tab of team.tabs) tab.close()
  await team.clock.advance(restMs)
  if (server.countConnections() > 0)
    team.report(`${server.countConnections()} connections are open, and no page`)
  server.close()
}
