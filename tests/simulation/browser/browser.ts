import type { Operation } from '../../../web/records/model/book/operation.ts'
import { type Clock, createOwner, type Owner } from '../engine/clock.ts'
import type { Program } from '../engine/program.ts'
import { Random } from '../engine/random.ts'
import type { Answer } from '../network/exchange.ts'
import type { HttpRequest } from '../network/http.ts'
import { Link } from '../network/link.ts'
import type { OpenPage, PageApi } from '../page/page.ts'
import type { SimulatedServer } from '../server/server.ts'
import { Channels } from './channels.ts'
import { SimulatedIndexedDb } from './indexed-db.ts'
import { Locks } from './locks.ts'
import { createPageGlobals, type PageGlobals } from './page-globals.ts'

export interface BrowserOptions {
  name: string
  clock: Clock
  seed: number
  address: string
  server: SimulatedServer
  programs: { page: Program; newerPage: Program; indexedDb: Program }
  log(who: string, text: string): void
  onAnswer(answer: Answer): void
  /** Called before a page sends a request. */
  onRequest(owner: Owner, request: HttpRequest): void
  /** Called with what the server sends, to whom, before anything gets lost. */
  onServed(readEmail: () => string | undefined, request: string, bytes: Buffer): void
  onComplete(uid: string, operation: Operation): void
  onLoaded(tab: Tab, sinceMs: number): void
  onShown(tab: Tab): void
}

/** The locks of what the tabs of a browser send. */
const requestSlots = /^staffbook-(write|upload|list)-/

/** What one person uses: tabs that share storage, locks, channels, cookies and the network. */
export class Browser {
  readonly options: BrowserOptions
  readonly link: Link
  readonly locks: Locks
  readonly channels: Channels
  readonly indexedDb: SimulatedIndexedDb
  readonly localStorage: Map<string, string>
  readonly tabs: Tab[] = []
  /** How much its clock is ahead of the time, in ms. */
  clockErrorMs = 0
  /** It lets the timers of hidden tabs run once a minute. */
  isThrottling = false
  /** The machine sleeps: frozen tabs stay so. */
  isAsleep = false
  /** It has stored the newer build: each page that is loaded is one of it. */
  isUpdated = false
  #tabCount = 0

  constructor(options: BrowserOptions) {
    const { name, clock, seed, address, programs } = options
    this.options = options
    const random = (part: string) => new Random(seed, `${name} ${part}`)
    this.link = new Link(random('network'), address)
    this.locks = new Locks(clock, (owner, lock) => {
      if (lock.startsWith('staffbook-changes'))
        options.log(owner.name.split(',')[0] ?? '', 'leads the stream')
    })
    this.channels = new Channels(clock, random('channels'))
    this.indexedDb = new SimulatedIndexedDb(clock, random('database'), createOwner(name), programs.indexedDb)
    this.localStorage = new Map()
  }

  /** Opens a tab. `session`: the session storage of the tab that it is a copy of. */
  openTab(session = new Map<string, string>()): Tab {
    this.#tabCount += 1
    const tab = new Tab(this, `${this.options.name}’s tab ${this.#tabCount}`, session)
    this.tabs.push(tab)
    tab.load('navigate')
    return tab
  }

  /** Tells the other tabs that local storage has changed. */
  reportStorage(key: string, from: Owner): void {
    for (const { owner, globals } of this.tabs)
      if (owner !== from && owner)
        this.options.clock.after(0, owner, () =>
          globals?.window.dispatchEvent(new globals.StorageEvent('storage', { key })),
        )
  }

  /** Deletes all that the browser stores for the page, but for the cookies: some do so by themselves. */
  clearStorage(): void {
    this.localStorage.clear()
    this.indexedDb.clear()
    for (const { owner, globals } of this.tabs)
      if (owner && globals)
        this.options.clock.after(0, owner, () =>
          globals.window.dispatchEvent(new globals.StorageEvent('storage')),
        )
  }

  /** Ends all faults. Tabs may stay frozen in the background, but for those whose requests keep others waiting for two minutes. */
  heal(): void {
    const { clock } = this.options
    for (const { owner } of this.tabs)
      if (owner?.state === 'frozen' && this.locks.isUsing(owner, requestSlots)) clock.thaw(owner)
    const wasOffline = this.link.faults.has('offline')
    this.link.heal()
    this.indexedDb.faults.clear()
    this.channels.areLate = false
    this.isThrottling = false
    if (wasOffline) this.reportOnline()
  }

  /** Tells all tabs whether the browser has a network. */
  reportOnline(): void {
    for (const { owner, globals } of this.tabs)
      if (owner && globals)
        this.options.clock.after(0, owner, () => {
          globals.window.dispatchEvent(new Event(globals.navigator.onLine ? 'online' : 'offline'))
        })
  }
}

/** A tab. Its page ends when it is closed or reloaded. */
export class Tab {
  readonly browser: Browser
  readonly name: string
  readonly session: Map<string, string>
  owner: Owner | undefined
  globals: PageGlobals | undefined
  page: PageApi | undefined
  isHidden = false
  #loadCount = 0
  /** The requests that are open. */
  readonly #exchanges = new Set<() => void>()

  constructor(browser: Browser, name: string, session: Map<string, string>) {
    this.browser = browser
    this.name = name
    this.session = session
  }

  get isOpen(): boolean {
    return this.owner !== undefined
  }

  get isFrozen(): boolean {
    return this.owner?.state === 'frozen'
  }

  log(text: string): void {
    this.browser.options.log(this.name, text)
  }

  /** Loads the page. */
  load(navigation: 'navigate' | 'reload'): void {
    const { options } = this.browser
    this.#loadCount += 1
    const owner = createOwner(`${this.name}, load ${this.#loadCount}`)
    this.owner = owner
    this.globals = createPageGlobals({
      browser: this.browser,
      session: this.session,
      isHidden: this.isHidden,
      log: (text) => this.log(text),
      owner,
      navigation,
      random: new Random(options.seed, owner.name),
      exchanges: this.#exchanges,
    })
    const { page: older, newerPage } = options.programs
    const program = this.browser.isUpdated ? newerPage : older
    const { openPage } = program.start<{ openPage: OpenPage }>({ ...this.globals })
    // The transactions of a page that ends are aborted, and its code goes on until the next task: nobody sees that.
    const isShown = () => owner.state !== 'ended'
    const page = openPage({
      log: (text) => isShown() && this.log(text),
      onComplete: (uid, operation) => isShown() && options.onComplete(uid, operation),
      onLoaded: (sinceMs) => isShown() && options.onLoaded(this, sinceMs),
      onShown: () => isShown() && options.onShown(this),
    })
    this.page = page
    options.clock.after(0, owner, () => page.start())
  }

  /** Ends the page, as when the tab is closed, the browser crashes or the page is reloaded. */
  unload(): void {
    const { owner, browser } = this
    if (!owner) return
    browser.options.clock.end(owner)
    for (const leave of [...this.#exchanges]) leave()
    browser.locks.end(owner)
    browser.channels.end(owner)
    browser.indexedDb.end(owner)
    this.owner = undefined
    this.page = undefined
    this.globals = undefined
  }

  /** How many listeners of its window and document the page has. */
  countListeners(): number {
    const { window, document } = this.globals ?? {}
    return (window?.countListeners() ?? 0) + (document?.countListeners() ?? 0)
  }

  /** How many requests are open. */
  get requestCount(): number {
    return this.#exchanges.size
  }

  close(): void {
    this.unload()
    const { tabs } = this.browser
    tabs.splice(tabs.indexOf(this), 1)
  }

  reload(): void {
    this.unload()
    this.load('reload')
  }

  show(isVisible: boolean): void {
    this.isHidden = !isVisible
    const { owner, globals } = this
    if (!owner || !globals) return
    this.browser.options.clock.after(0, owner, () => {
      globals.document.hidden = !isVisible
      globals.document.dispatchEvent(new Event('visibilitychange'))
      if (isVisible) globals.window.dispatchEvent(new Event('focus'))
    })
  }
}
