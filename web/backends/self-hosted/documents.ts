import type { Batch, BatchResult } from '../../../contract/batches.ts'
import { type Employee, type EmployeeFields, pickFields } from '../../../contract/employees.ts'
import {
  type BookList,
  type Change,
  type ChangeEvent,
  type Conflict,
  countHeader,
  epochHeader,
  idempotencyKeyHeader,
  paths,
  revisionHeader,
  usedHeader,
} from '../../../contract/protocol.ts'
import { applyChanges } from '../apply-changes.ts'
import { newIdempotencyKey } from '../idempotency-key.ts'
import { lazyService } from '../lazy-service.ts'
import {
  type BatchOptions,
  type ChangeListener,
  type DocumentStore,
  type HistoryService,
  type OnPart,
  type PreviousPasswordService,
  ServiceError,
} from '../ports.ts'
import {
  ignore,
  openResponse,
  readJson,
  readNumber,
  type Send,
  type SendOptions,
  throwOffline,
} from './client.ts'
import type { withSlot } from './connection-slots.ts'
import { readBookList } from './list-parser.ts'
import { SharedStream } from './shared-stream.ts'

/** What the tabs of a browser share with one another. */
export interface Sharing {
  /** Tabs with the same uid share an event stream; without one, a tab has its own. */
  getUid(): string | undefined
  withSlot: typeof withSlot
}

const shareNothing: Sharing = { getUid: () => undefined, withSlot: (_kind, request) => request() }

/** A list of which nothing arrives for this long is given up. */
const listIdleTimeoutMs = 30_000

/** The status of a `PATCH` that could not be merged. */
const conflictStatus = 409

/**
 * The document store of our own server: requests over HTTP, changes over an event stream. Responses and events arrive on
 * separate connections, so either may overtake the other. They are ordered by revision, so that an older one does not
 * overwrite a newer one.
 */
export class SelfHostedDocumentStore implements DocumentStore {
  usedPercent: number | undefined
  readonly history: HistoryService
  readonly previousPasswords: PreviousPasswordService
  readonly #send: Send
  readonly #sharing: Sharing
  /** The newest revision received in a list or an event. */
  #latestRevision = 0
  /** The newest revision of this client's own writes, by record id. */
  readonly #ownRevisions = new Map<string, number>()
  #callsInFlight = 0
  /** The changes that became known while there were calls in flight. */
  #recentChanges: ChangeEvent[] = []
  #listRevision = 0
  #epoch: string | null = null
  #listener: ChangeListener | undefined
  #stream: SharedStream | undefined

  constructor(send: Send, sharing = shareNothing) {
    this.#send = send
    this.#sharing = sharing
    const loadCode = () => import('./on-demand/history.ts').catch(throwOffline)
    this.history = lazyService(async () => (await loadCode()).createHistoryService(send))
    this.previousPasswords = lazyService(async () => (await loadCode()).createPreviousPasswordService(send))
  }

  list(onPart?: OnPart): Promise<Employee[]> {
    return this.#call(async () => {
      const { revision, documents } = await this.#sharing.withSlot('list', () => this.#readList(onPart))
      this.#listRevision = revision
      this.#latestRevision = revision
      return applyChanges(documents, this.#changesAfter(revision))
    })
  }

  async #readList(onPart?: OnPart): Promise<BookList> {
    const { response, chunks } = await openResponse(this.#send, paths.books, listIdleTimeoutMs)
    this.#epoch = response.headers.get(epochHeader)
    this.usedPercent = readNumber(response, usedHeader)
    const total = readNumber(response, countHeader)
    return readBookList(chunks, onPart && ((employees) => onPart(employees, total))).catch(throwOffline)
  }

  add(fields: EmployeeFields, key: string): Promise<string> {
    return this.#call(async () => {
      const revisionBefore = this.#latestRevision
      const headers = { [idempotencyKeyHeader]: key }
      const response = await this.#sendWrite('POST', paths.books, { body: fields, headers }).catch(
        (error) => {
          if (error.code === 'key-reused') this.#requestReload()
          throw error
        },
      )
      const { id } = await readJson<{ id: string }>(response)
      const revision = this.#recordWrite(saved({ id, ...fields }), response)
      const wasRemovedMeanwhile = this.#recentChanges.some(
        (change) => change.type === 'removed' && change.revision === revision,
      )
      if (wasRemovedMeanwhile || revision <= revisionBefore) this.#requestReload()
      return id
    })
  }

  update(id: string, fields: EmployeeFields, seen?: EmployeeFields): Promise<EmployeeFields> {
    return this.#call(async () => {
      const body = seen ? { ...fields, seen: pickFields(seen) } : fields
      const handledStatus = conflictStatus
      const response = await this.#sendWrite('PATCH', paths.book(id), { body, handledStatus })
      if (response.status === conflictStatus) return this.#throwConflict(response)
      const written = pickFields(seen ? await readJson<Employee>(response) : fields)
      this.#recordWrite(saved({ id, ...written }), response)
      return written
    })
  }

  remove(id: string): Promise<void> {
    return this.#call(async () => {
      const response = await this.#sendWrite('DELETE', paths.book(id)).catch(ignore('not-found'))
      if (response) this.#recordWrite({ type: 'removed', id }, response)
    })
  }

  restore(employee: Employee): Promise<string | null> {
    return this.#call(async () => {
      const response = await this.#sendWrite('PUT', paths.book(employee.id), { body: pickFields(employee) })
      const { after } = await readJson<{ after: string | null }>(response)
      this.#recordWrite(saved(employee, after), response)
      return after
    })
  }

  writeBatch(batch: Batch, key: string, options: BatchOptions = {}): Promise<BatchResult> {
    const { signal, onProgress = () => {} } = options
    return this.#call(async () => {
      const revisionBefore = this.#latestRevision
      const headers = { [idempotencyKeyHeader]: key }
      const request = () => this.#send('POST', paths.batch, { body: batch, headers, signal, onProgress })
      const response = await this.#sharing.withSlot('upload', request, signal)
      const result = await readJson<BatchResult>(response)
      const revision = readRevision(response)
      this.#recordWrittenIds(collectWrittenIds(batch, result), revision)
      if (revision <= revisionBefore) this.#requestReload()
      return result
    })
  }

  subscribe(listener: ChangeListener): () => void {
    this.#listener = listener
    const name = `staffbook-changes ${this.#sharing.getUid() ?? newIdempotencyKey()} ${this.#epoch}`
    const stream = new SharedStream(this.#send, this.#listRevision, name, {
      ...listener,
      onChanges: (changes) => {
        this.#latestRevision = Math.max(this.#latestRevision, ...changes.map(({ revision }) => revision))
        for (const change of changes) this.#remember(change)
        const current = changes.filter((change) => this.#isCurrent(change))
        if (current.length > 0) listener.onChanges(current.map(withoutRevision))
      },
      onStale: () => {
        // The server may count from a lower revision after a backup was restored.
        this.#ownRevisions.clear()
        listener.onStale()
      },
    })
    this.#stream = stream
    return () => {
      if (this.#listener === listener) this.#listener = undefined
      stream.close()
    }
  }

  /** Notifies the listeners of all tabs that share the stream. */
  endSession(): void {
    this.#stream?.endSession()
  }

  /** Runs a call. The changes that become known are remembered until the caller has processed the result. */
  async #call<T>(run: () => Promise<T>): Promise<T> {
    this.#callsInFlight++
    try {
      return await run()
    } finally {
      setTimeout(() => {
        this.#callsInFlight--
        if (this.#callsInFlight === 0) this.#recentChanges = []
      })
    }
  }

  #remember(change: ChangeEvent) {
    if (this.#callsInFlight > 0) this.#recentChanges.push(change)
  }

  /** False if a response to our own write has already superseded the change. */
  #isCurrent(change: ChangeEvent): boolean {
    return change.revision >= (this.#ownRevisions.get(changedId(change)) ?? 0)
  }

  #recordOwnRevision(id: string, revision: number) {
    this.#ownRevisions.set(id, Math.max(revision, this.#ownRevisions.get(id) ?? 0))
  }

  #changesAfter(revision: number): ChangeEvent[] {
    return this.#recentChanges.filter((change) => change.revision > revision && this.#isCurrent(change))
  }

  #sendWrite(method: string, path: string, options?: SendOptions): Promise<Response> {
    return this.#sharing.withSlot('write', () => this.#send(method, path, options))
  }

  /** Notifies of the current record, unless the stream has delivered it: its connection may be lost. */
  async #throwConflict(response: Response): Promise<never> {
    const { message, document, after } = await readJson<Conflict>(response)
    const revision = readRevision(response)
    if (revision > this.#latestRevision) {
      this.#recordOwnRevision(document.id, revision)
      this.#listener?.onChanges([{ type: 'saved', document, after }])
    }
    throw new ServiceError('conflict', message)
  }

  /** Records a write of one record, also for a list that was requested before it. Returns its revision. */
  #recordWrite(change: Change, response: Response): number {
    const revision = readRevision(response)
    this.#remember({ ...change, revision })
    this.#recordWrittenIds(new Set([changedId(change)]), revision)
    return revision
  }

  /** Marks the records as written by us, and notifies again of newer changes received before the response. */
  #recordWrittenIds(ids: Set<string>, revision: number) {
    for (const id of ids) this.#recordOwnRevision(id, revision)
    // In a new task, so that the caller has processed the response first.
    setTimeout(() => {
      const newer = this.#changesAfter(revision).filter((change) => ids.has(changedId(change)))
      if (newer.length > 0) this.#listener?.onChanges(newer.map(withoutRevision))
    })
  }

  /** Makes the page reload the list, because the records of a repeated add or batch may have been removed since. */
  #requestReload() {
    setTimeout(() => this.#listener?.onStale())
  }
}

/** Appends a new record by default: no record has the empty id. */
const saved = (document: Employee, after: string | null = ''): Change => ({ type: 'saved', document, after })

/** The records that a batch has changed: all but its conflicts. */
function collectWrittenIds({ update, remove }: Batch, { ids, kept }: BatchResult): Set<string> {
  const conflicts = new Set(kept)
  const existingIds = [...update.map(({ seen }) => seen.id), ...remove.map(({ id }) => id)]
  return new Set([...ids, ...existingIds.filter((id) => !conflicts.has(id))])
}

/** The revision of a write. For a repeated write, the revision of its record's latest change. Only our server sends one. */
function readRevision(response: Response): number {
  return readNumber(response, revisionHeader) ?? throwOffline(new Error('The response has no revision.'))
}

/** Revisions are internal to this adapter. */
function withoutRevision({ revision: _, ...change }: ChangeEvent): Change {
  return change
}

function changedId(change: Change): string {
  return change.type === 'saved' ? change.document.id : change.id
}
