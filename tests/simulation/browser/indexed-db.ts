import type { Clock, Owner } from '../engine/clock.ts'
import type { Program } from '../engine/program.ts'
import type { Random } from '../engine/random.ts'
import type * as Modules from './indexed-db-modules.ts'

interface Transaction {
  db: Connection
  mode: string
  _state: string
  _requests: unknown[]
  _abort(error: string): void
}

type Connection = IDBDatabase & { page?: Owner }

export const storageFaults = [
  'full storage',
  'failing storage',
  'slow storage',
  'hanging storage',
  'aborted transactions',
] as const
export type StorageFault = (typeof storageFaults)[number]

const usualDelayMs = 0.3
const slowDelayMs = 2_000
export const longestHangMs = 20_000
/** Longer than the page waits. */
const hangingDelayMs = [6_000, longestHangMs] as const

/** The IndexedDB of one browser: fake-indexeddb, whose tasks run on the virtual clock. Its transactions end with their page. */
export class SimulatedIndexedDb {
  readonly faults = new Set<StorageFault>()
  onFault: (fault: StorageFault) => void = () => {}
  readonly #clock: Clock
  readonly #modules: typeof Modules
  readonly #connections = new Map<Owner, Set<Connection>>()
  #factory: IDBFactory

  constructor(clock: Clock, random: Random, browser: Owner, program: Program) {
    this.#clock = clock
    const delay = () => {
      if (this.#strikes('hanging storage')) return random.between(...hangingDelayMs)
      if (this.#strikes('slow storage')) return random.between(0, slowDelayMs)
      return random.between(0.01, usualDelayMs)
    }
    const globals = { setImmediate: (task: () => void) => void clock.after(delay(), browser, task) }
    this.#modules = program.start<typeof Modules>({ globalThis: globals })
    this.#factory = new this.#modules.IDBFactory()
    this.#giveTransactionsTo(this.#modules)
  }

  /** Lets a transaction go on only while its page runs, and makes its requests fail while the storage does. */
  #giveTransactionsTo({ IDBTransaction, IDBObjectStore }: typeof Modules): void {
    const transactions = IDBTransaction.prototype as unknown as {
      _start(this: Transaction): void
      _execRequestAsync(this: Transaction, request: { operation: () => unknown }): unknown
    }
    const start = transactions._start
    const isAborted = ({ mode, _state, _requests }: Transaction) =>
      mode === 'readwrite' &&
      _state !== 'finished' &&
      _requests.length === 0 &&
      this.#strikes('aborted transactions')
    transactions._start = function () {
      const { page } = this.db
      if (page?.state === 'frozen') page.held.push({ run: () => start.call(this), isCancelled: false })
      else if (page?.state === 'ended' && this._state !== 'finished') this._abort('AbortError')
      // All requests have succeeded, and the disk fails at the end.
      else if (isAborted(this)) this._abort('QuotaExceededError')
      else start.call(this)
    }
    const execute = transactions._execRequestAsync
    const check = (isPut: boolean) => this.#requireWorking(isPut)
    let isPut = false
    transactions._execRequestAsync = function (request) {
      const isPutRequest = isPut
      return execute.call(this, {
        ...request,
        operation: () => {
          check(isPutRequest)
          return request.operation()
        },
      })
    }
    const stores = IDBObjectStore.prototype as unknown as { put(...args: unknown[]): unknown }
    const put = stores.put
    stores.put = function (...args) {
      isPut = true
      try {
        return put.apply(this, args)
      } finally {
        isPut = false
      }
    }
  }

  #requireWorking(isPut: boolean): void {
    if (this.#strikes('failing storage')) throw new DOMException('Internal error.', 'UnknownError')
    if (isPut && this.#strikes('full storage'))
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  }

  #strikes(fault: StorageFault): boolean {
    const strikes = this.faults.has(fault)
    if (strikes) this.onFault(fault)
    return strikes
  }

  /** `indexedDB` of a page. */
  createFactory(page: Owner) {
    return {
      open: (name: string, version?: number) => {
        const factory = this.#factory
        const request = factory.open(name, version)
        const shown = {
          onsuccess: () => {},
          onerror: () => {},
          onupgradeneeded: () => {},
          result: undefined as IDBDatabase | undefined,
          error: null as DOMException | null,
        }
        const settle = (act: () => void) => this.#clock.after(0, page, act)
        request.onupgradeneeded = () => {
          shown.result = request.result
          shown.onupgradeneeded()
        }
        const fail = (error: DOMException | null) => {
          shown.error = error
          settle(() => shown.onerror())
        }
        request.onsuccess = () => {
          const connection = request.result as Connection
          if (factory !== this.#factory) {
            connection.close()
            return fail(new DOMException('The database was deleted.', 'AbortError'))
          }
          connection.page = page
          const connections = this.#connections.get(page) ?? new Set()
          this.#connections.set(page, connections.add(connection))
          if (page.state === 'ended') connection.close()
          shown.result = connection
          settle(() => shown.onsuccess())
        }
        request.onerror = () => fail(request.error)
        return shown
      },
    }
  }

  /** Ends the connections of pages as a browser does that has trouble with its disk. */
  closeConnections(): void {
    for (const [page, connections] of this.#connections)
      for (const connection of connections)
        this.#clock.after(0, page, () => this.#modules.forceCloseDatabase(connection as never))
    this.#connections.clear()
  }

  /** Deletes all databases. */
  clear(): void {
    this.closeConnections()
    this.#factory = new this.#modules.IDBFactory()
  }

  end(page: Owner): void {
    for (const connection of this.#connections.get(page) ?? []) connection.close()
    this.#connections.delete(page)
    const running = [...this.#databases()].flatMap(({ transactions }) => transactions)
    for (const transaction of running)
      if (transaction.db.page === page && transaction._state !== 'finished') transaction._abort('AbortError')
  }

  /** Whether a page has unfinished transactions: then a browser does not freeze it. */
  isUsedBy(page: Owner): boolean {
    return [...this.#databases()].some(({ transactions }) =>
      transactions.some(({ db, _state }) => db.page === page && _state !== 'finished'),
    )
  }

  /** The names under which something is stored. */
  names(): string[] {
    return [...this.#databases()].flatMap(({ rawObjectStores }) =>
      [...rawObjectStores.values()].flatMap(({ records }) =>
        Array.from(records.values(), ({ key }) => String(key)),
      ),
    )
  }

  *#databases() {
    const { _databases } = this.#factory as unknown as {
      _databases: Map<
        string,
        {
          transactions: Transaction[]
          rawObjectStores: Map<string, { records: { values(): Iterable<{ key: unknown }> } }>
        }
      >
    }
    yield* _databases.values()
  }
}
