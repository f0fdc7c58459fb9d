import type { Owner } from '../engine/clock.ts'
import { createDateClass, createTimers } from '../engine/globals.ts'
import type { Random } from '../engine/random.ts'
import { type Answer, type ExchangeOptions, exchange } from '../network/exchange.ts'
import type { HttpRequest } from '../network/http.ts'
import type { Link } from '../network/link.ts'
import type { Channels } from './channels.ts'
import { createAbortClasses, SimulatedEventTarget } from './events.ts'
import type { SimulatedIndexedDb } from './indexed-db.ts'
import type { Locks } from './locks.ts'
import { createWebCrypto } from './web-crypto.ts'
import { WebStorage } from './web-storage.ts'

/** What the tabs of a browser share. */
interface BrowserParts {
  readonly options: Pick<ExchangeOptions, 'clock' | 'server'> & {
    /** Called with each answer that a page receives. */
    onAnswer(answer: Answer): void
    /** Called before a page sends a request. */
    onRequest(owner: Owner, request: HttpRequest): void
    /** Called with what the server sends, to whom, before anything gets lost. */
    onServed(readEmail: () => string | undefined, request: string, bytes: Buffer): void
  }
  readonly link: Link
  readonly locks: Locks
  readonly channels: Channels
  readonly indexedDb: SimulatedIndexedDb
  readonly localStorage: Map<string, string>
  readonly clockErrorMs: number
  readonly isThrottling: boolean
  /** Tells the other tabs that local storage has changed. */
  reportStorage(key: string, from: Owner): void
}

interface Options {
  browser: BrowserParts
  session: Map<string, string>
  isHidden: boolean
  log(text: string): void
  owner: Owner
  navigation: 'navigate' | 'reload'
  random: Random
  exchanges: Set<() => void>
}

export type PageGlobals = ReturnType<typeof createPageGlobals>

/** What the page's code finds around it. Nothing of it acts once its page has ended. */
export function createPageGlobals(options: Options) {
  const { browser, owner, navigation, random, exchanges, log } = options
  const { clock, server, onAnswer, onRequest, onServed } = browser.options
  const { link } = browser
  const window = new SimulatedEventTarget()
  const document = Object.assign(new SimulatedEventTarget(), {
    hidden: options.isHidden,
    documentElement: { lang: 'en' },
  })
  const timers = createTimers(
    clock,
    () => owner,
    () => document.hidden && browser.isThrottling,
  )
  const isEnded = () => owner.state === 'ended'

  class StorageEvent extends Event {
    readonly key: string | null
    constructor(type: string, { key = null }: { key?: string | null } = {}) {
      super(type)
      this.key = key
    }
  }

  const localStorage = new WebStorage(browser.localStorage, (key) => browser.reportStorage(key, owner))
  const navigator = {
    get onLine() {
      return !link.faults.has('offline')
    },
    locks: browser.locks.createManager(owner),
  }

  function fetch(input: string, { method = 'GET', headers = {}, body = null, signal }: RequestInit = {}) {
    if (isEnded()) return never<Response>()
    const request = {
      method,
      path: input,
      headers: headers as Record<string, string>,
      body: body as string | null,
    }
    onRequest(owner, request)
    return exchange({
      clock,
      link,
      server,
      owner,
      request,
      signal: signal ?? undefined,
      open: exchanges,
      log,
      onAnswer,
      onServed: (bytes) => onServed(() => readEmail(browser.localStorage), `${method} ${input}`, bytes),
    })
  }

  const globals = {
    ...timers,
    window,
    document,
    navigator,
    fetch,
    localStorage,
    sessionStorage: new WebStorage(options.session),
    indexedDB: browser.indexedDb.createFactory(owner),
    crypto: createWebCrypto(random),
    BroadcastChannel: browser.channels.createClass(owner),
    StorageEvent,
    EventTarget: SimulatedEventTarget,
    ...createAbortClasses((act, ms) => clock.after(ms, owner, act, true)),
    Date: createDateClass(() => clock.date + browser.clockErrorMs),
    Math: Object.create(Math, { random: { value: () => random.fraction() } }) as Math,
    performance: {
      now: () => clock.now,
      getEntriesByType: (type: string) => (type === 'navigation' ? [{ type: navigation }] : []),
    },
    dispatchEvent: (event: Event) => window.dispatchEvent(event),
    requestAnimationFrame: (act: () => void) => timers.setTimeout(act, 16),
    process: { env: { NODE_ENV: 'production' } },
  }
  return { ...globals, globalThis: { ...globals } }
}

const readEmail = (storage: Map<string, string>): string | undefined =>
  JSON.parse(storage.get('user') ?? '{}').email

const never = <T>() => new Promise<T>(() => {})
