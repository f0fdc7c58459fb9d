import { idempotencyKeyHeader, paths, repeatedHeader } from '../../../contract/protocol.ts'
import type { Operation } from '../../../web/records/model/book/operation.ts'
import type { Entry } from '../../../web/records/model/outbox/entry.ts'
import { nameOf } from '../../support/people.ts'
import { Browser, type Tab } from '../browser/browser.ts'
import { longestHangMs } from '../browser/indexed-db.ts'
import { Clock, createOwner, type Owner } from '../engine/clock.ts'
import type { HttpRequest } from '../network/http.ts'
import { type CrashPoint, SimulatedServer } from '../server/server.ts'
import { keyOf, Ledger } from './ledger.ts'
import type { Programs } from './programs.ts'
import type { Scenario, Situation, StepKind } from './scenario.ts'

export interface Person {
  name: string
  email: string
  password: string
  browser: Browser
}

/** For so long an access to the storage may hang, and a page then waits for the next one. */
const storageDelayMs = longestHangMs + 5_000

/** Within this time after a change, a page shows what is the latest, in ms. */
const shownAfterMs = 20

/** Within this time after a commit, the server's list has it. */
const serverDelayMs = 50

/** One team and its server, in one process. */
export class Team {
  readonly clock = new Clock()
  readonly ledger = new Ledger()
  readonly server: SimulatedServer
  readonly people: Person[] = []
  readonly timeline: string[] = []
  readonly counts = new Map<StepKind | Situation, number>()
  readonly statuses = new Map<number, number>()
  readonly problems = this.ledger.problems
  /** The work of each tab that has not ended. */
  readonly unfinished = new Map<string, Set<string>>()
  /** Since when each account is removed. */
  readonly removedSince = new Map<string, number>()
  /** When somebody has last begun to let each account in again. */
  readonly letInAt = new Map<string, number>()
  /** When the storage of each browser has last failed. */
  readonly #storageFailedAt = new Map<Browser, number>()
  /** The entries whose refusal was reported. */
  readonly #refused = new Set<string>()
  /** When the conflict of an entry was first seen, until it has none. */
  readonly #askedAt = new Map<string, number>()
  /** The entries of which a request was sent. */
  readonly #sent = new Set<string>()
  /** The accounts of all entries that pages have shown. */
  readonly #entryOwners = new Map<string, string>()
  /** The pages in which each entry was seen first. */
  readonly #entryPages = new Map<string, Tab['owner']>()
  /** The version of each record that each page shows, and whether it is about to be looked at. */
  readonly #shown = new WeakMap<Owner, { versions: Map<string, number>; isChecked: boolean }>()
  /** The pages that reload the list, since they have learned that something was done before. */
  readonly #reloading = new WeakSet<Owner>()
  /** The pairs of entry and change that were seen. */
  readonly #seen = new Set<string>()
  readonly scenario: Scenario
  readonly programs: Programs
  readonly #world = { ...createOwner('world'), isAwaited: true }
  /** Faults have ended. */
  isHealing = false
  tokenCount = 0

  constructor(scenario: Scenario, programs: Programs) {
    this.scenario = scenario
    this.programs = programs
    this.server = new SimulatedServer({
      clock: this.clock,
      seed: scenario.seed,
      programs: programs.server,
      log: (text) => this.log('server', text),
      onBug: (error) => this.report(`the server failed: ${error.stack}`),
      onCrash: (point, downMs) => this.#restartLater(point, downMs),
      onCommit: () => this.takeCommit(),
      maxBytes: undefined,
    })
    this.server.onThrottled = () => this.count('throttling')
  }

  log(who: string, text: string): void {
    this.timeline.push(`${(this.clock.now / 1000).toFixed(3).padStart(9)} ${who}: ${text}`)
  }

  report(problem: string): void {
    this.problems.push(problem)
    this.log('PROBLEM', problem)
  }

  count(kind: StepKind | Situation): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
  }

  #restartLater(point: CrashPoint, downMs: number): void {
    if (point !== 'now') this.count(`killed ${point === 'before commit' ? 'before' : 'after'} a commit`)
    // Starting takes no virtual time: the clock waits for it.
    this.later(downMs, () => this.server.isRunning || this.server.start())
  }

  /** Keeps account of work that a page has begun. */
  track(tab: Tab, what: string, work: Promise<unknown> | undefined): void {
    const { owner } = tab
    if (!work || !owner) return
    const key = owner.name
    const all = this.unfinished.get(key) ?? new Set()
    this.unfinished.set(key, all)
    const name = `${what} of ${(this.clock.now / 1000).toFixed(3)}`
    all.add(name)
    work
      .catch((error) => {
        const { code } = error as { code?: string }
        if (code === undefined) this.report(`${tab.name}: ${what} failed: ${error.stack}`)
      })
      .finally(() => all.delete(name))
  }

  /** Looks at the entries of a page: whose they are, and which are new. */
  scan(tab: Tab): void {
    const { page } = tab
    const uid = page?.uid()
    if (!page || !uid) return
    for (const entry of page.entries()) {
      const owner: string = this.#entryOwners.get(entry.id) ?? uid
      this.#entryOwners.set(entry.id, owner)
      if (!this.#entryPages.has(entry.id)) this.#entryPages.set(entry.id, tab.owner)
      if (owner !== uid) this.report(`${tab.name} shows the work of another account: ${entry.state}`)
      if (!('operation' in entry)) continue
      this.#checkRefusal(tab, uid, entry)
      const key = `${entry.id} ${keyOf(uid, entry.operation)}`
      if (this.#seen.has(key)) continue
      this.#seen.add(key)
      if (this.ledger.restoresChanged(entry.operation)) this.count('restore of a changed record')
      if (this.ledger.addsChanged(entry.operation)) this.count('edited addition of a changed record')
      const who = this.people.find(({ browser }) => browser === tab.browser)?.name ?? ''
      const page = this.#entryPages.get(entry.id)
      this.ledger.submit(entry.operation, { uid, who, at: this.clock.now, page, entryId: entry.id })
      this.log(tab.name, describe(entry.operation))
    }
  }

  /** Nobody is asked about a conflict with their own earlier changes, nor about what was saved. */
  #checkRefusal({ name }: Tab, uid: string, entry: Entry): void {
    const isConflict = entry.state === 'refused' && ['conflict', 'not-found'].includes(entry.refusal.code)
    const askedAt = this.#askedAt.get(entry.id) ?? this.clock.now
    if (isConflict) this.#askedAt.set(entry.id, askedAt)
    else this.#askedAt.delete(entry.id)
    if (entry.state !== 'refused' || this.#refused.has(entry.id)) return
    const { operation, refusal } = entry
    const problem =
      refusal.code === 'key-reused' && !this.ledger.isRepeatable(entry.id)
        ? 'has reused a key'
        : isConflict && this.ledger.wasSaved(uid, operation, refusal.code === 'not-found', askedAt)
          ? 'has a conflict, but the change was saved'
          : isConflict && this.ledger.isAlone(uid, operation)
            ? 'has a conflict, but nobody else has changed the record'
            : undefined
    if (!problem) return
    this.#refused.add(entry.id)
    this.report(`${name} ${problem}: ${describe(operation)}`)
  }

  /** Whether an earlier page made this entry. */
  isFromEarlierPage(entryId: string, tab: Tab): boolean {
    const page = this.#entryPages.get(entryId)
    return page !== undefined && page !== tab.owner
  }

  /** A response may take the place of a newer event, which the page then repeats at once. */
  #checkShownLater(tab: Tab): void {
    const { owner } = tab
    if (!owner) return
    const shown = this.#shown.get(owner) ?? { versions: new Map<string, number>(), isChecked: true }
    this.#shown.set(owner, shown)
    if (!shown.isChecked) return
    shown.isChecked = false
    this.clock.after(
      shownAfterMs,
      owner,
      () => {
        shown.isChecked = true
        this.#checkShown(tab, shown.versions)
      },
      true,
    )
  }

  /** A page shows no record as it was before what it has shown of it. */
  #checkShown({ name, page, owner }: Tab, versions: Map<string, number>): void {
    // Whoever is signed out sees no records.
    if (page?.status() === 'signed-out') return
    this.takeCommit()
    for (const employee of page?.book() ?? []) {
      const { isOlder, version } = this.ledger.findShown(employee, versions.get(employee.id) ?? 0)
      versions.set(employee.id, version)
      if (isOlder && owner && !this.#reloading.has(owner))
        this.report(`${name} shows again what was replaced: ${Object.values(employee).join()}`)
    }
  }

  #confirm(uid: string, operation: Operation): void {
    this.takeCommit()
    this.ledger.confirm(uid, operation)
  }

  /** Reads what was committed since. */
  takeCommit(): void {
    this.ledger.commit(this.server.database.takeWritten(), this.clock.now)
  }

  /** A page that has loaded the records shows what was saved before. */
  #checkLoaded({ name, page, owner }: Tab, sinceMs: number): void {
    if (owner) this.#reloading.delete(owner)
    this.takeCommit()
    for (const problem of this.ledger.findForgotten(page?.book() ?? [], sinceMs - serverDelayMs))
      this.report(`${name} has loaded the records, and ${problem}`)
  }

  /** After a removal, nothing is sent to whom it concerns. */
  #checkServed(readEmail: () => string | undefined, request: string, bytes: Buffer): void {
    const removed = this.server.database.removedEmails()
    for (const removedEmail of this.removedSince.keys())
      if (!removed.has(removedEmail)) this.removedSince.delete(removedEmail)
    for (const removedEmail of removed)
      if (!this.removedSince.has(removedEmail)) this.removedSince.set(removedEmail, this.clock.now)
    if (removed.size === 0 || !request.includes('collections')) return
    const email = readEmail()
    const since = email === undefined ? undefined : this.removedSince.get(email)
    if (since === undefined || this.clock.now - since < 1_500) return
    const text = bytes.toString()
    if (text.startsWith('HTTP/1.1 200') || text.includes('event: change'))
      this.report(`${email} was removed, and receives: ${request}`)
  }

  /** What is sent is stored before, so that it is not lost with the page, and is not saved already. */
  #checkStored(browser: Browser, owner: Owner, request: HttpRequest): void {
    const { page, name } = browser.tabs.find((tab) => tab.owner === owner) ?? {}
    if (!page?.isDurable() || request.method === 'GET' || !browser.localStorage.has('user')) return
    const isEntryOf = (entry: Entry) => 'operation' in entry && isSentBy(entry, entry.operation, request)
    const again = page
      .entries()
      .find((entry) => isEntryOf(entry) && this.#sent.has(entry.id) && this.ledger.isSaved(page.uid(), entry))
    if (again) this.report(`${name} sends what was saved: ${request.method} ${request.path}`)
    const unsent = page.entries().filter(({ id }) => !this.#sent.has(id))
    const sent = unsent.filter(isEntryOf)
    const [first] = sent
    if (!first) return
    this.#sent.add(first.id)
    const stored = this.storedIds(browser)
    if (!sent.some(({ id }) => stored.has(id)))
      this.report(`${name} sends what it has not stored: ${request.method} ${request.path}`)
  }

  /** Whether a browser in which an account has logged out stores something of it, though it could have deleted it. */
  isStoredAfterLogout(browser: Browser, uid: string | undefined): boolean {
    if (this.hasStorageFailed(browser) || browser.localStorage.has('user')) return false
    return browser.indexedDb.names().some((name) => name.startsWith(`${uid}/`))
  }

  /** The ids of what a browser stores. */
  storedIds(browser: Browser): Set<string> {
    return new Set(browser.indexedDb.names().map((name) => name.split('/').at(-1) ?? ''))
  }

  /** Whether a page may still wait for what it has asked its storage for. */
  hasStorageFailed(browser: Browser): boolean {
    const failedAt = this.#storageFailedAt.get(browser) ?? Number.NEGATIVE_INFINITY
    return this.clock.now - failedAt < storageDelayMs
  }

  /** Acts after a time, unless all faults have ended before. */
  later(ms: number, act: () => unknown): void {
    this.clock.after(ms, this.#world, () => this.isHealing || act())
  }

  /** What a browser stores is deleted, of these entries. */
  excuseStored(browser: Browser, isDeleted: (entryId: string, uid: string) => boolean): void {
    const stored = this.storedIds(browser)
    for (const submission of this.ledger.submissions.values()) {
      const { entryId, uid, state } = submission
      if (state === 'open' && stored.has(entryId) && isDeleted(entryId, uid)) submission.state = 'excused'
    }
  }

  /** A person comes with a browser. */
  join(name: string): Person {
    const browser = new Browser({
      name,
      clock: this.clock,
      seed: this.scenario.seed,
      address: `10.0.1.${this.people.length + 1}`,
      server: this.server,
      programs: this.programs,
      log: (who, text) => this.log(who, text),
      onComplete: (uid, operation) => this.#confirm(uid, operation),
      onLoaded: (tab, sinceMs) => this.#checkLoaded(tab, sinceMs),
      onShown: (tab) => this.#checkShownLater(tab),
      onAnswer: ({ owner, status, headers }) => {
        if (headers.has(repeatedHeader)) this.#reloading.add(owner)
        this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
      },
      onRequest: (owner, request) => this.#checkStored(browser, owner, request),
      onServed: (readEmail, request, bytes) => this.#checkServed(readEmail, request, bytes),
    })
    browser.link.onFault = (fault) => this.count(fault)
    browser.channels.onLate = () => this.count('messages late')
    browser.indexedDb.onFault = (fault) => {
      this.#storageFailedAt.set(browser, this.clock.now)
      this.count(fault)
    }
    const person = {
      name,
      email: `${name.toLowerCase()}@example.com`,
      password: `password of ${name}`,
      browser,
    }
    this.people.push(person)
    return person
  }

  get tabs(): Tab[] {
    return this.people.flatMap(({ browser }) => browser.tabs)
  }
}

/** Whether a request is that of an operation. */
function isSentBy({ id }: Entry, operation: Operation, { path, headers }: HttpRequest): boolean {
  const key = headers[idempotencyKeyHeader]
  if ('key' in operation) return key === operation.key
  return path === paths.book(operation.employee.id) && key === id
}

const describe = (operation: Operation): string => {
  if (operation.kind === 'add') return `adds ${nameOf(operation.fields)}`
  if ('batch' in operation) return operation.kind
  return `${operation.kind} ${Object.values(operation.employee).join()}`
}
