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
import { changedId, RevisionTracker } from './revision-tracker.ts'
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

/** The document store of our own server: requests over HTTP, changes over an event stream. */
export class SelfHostedDocumentStore implements DocumentStore {
  usedPercent: number | undefined
  readonly history: HistoryService
  readonly previousPasswords: PreviousPasswordService
  readonly #send: Send
  readonly #sharing: Sharing
  readonly #tracker = new RevisionTracker()
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
    return this.#tracker.collectChangesDuring(async (changesDuringCall) => {
      const { revision, documents } = await this.#sharing.withSlot('list', () => this.#readList(onPart))
      this.#listRevision = revision
      this.#tracker.recordList(revision)
      const newer = changesDuringCall.filter(
        (change) => change.revision > revision && this.#tracker.isCurrent(change),
      )
      return applyChanges(documents, newer)
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
    return this.#tracker.collectChangesDuring(async (changesDuringCall) => {
      const revisionBefore = this.#tracker.latestRevision
      const headers = { [idempotencyKeyHeader]: key }
      const response = await this.#sendWrite('POST', paths.books, { body: fields, headers }).catch(
        (error) => {
          if (error.code === 'key-reused') this.#requestReload()
          throw error
        },
      )
      const { id } = await readJson<{ id: string }>(response)
      this.#recordWrite(saved({ id, ...fields }), response, changesDuringCall)
      const revision = readRevision(response)
      const wasRemovedMeanwhile = changesDuringCall.some(
        (change) => change.type === 'removed' && change.revision === revision,
      )
      if (wasRemovedMeanwhile || revision <= revisionBefore) this.#requestReload()
      return id
    })
  }

  update(id: string, fields: EmployeeFields, seen?: EmployeeFields): Promise<EmployeeFields> {
    return this.#tracker.collectChangesDuring(async (changesDuringCall) => {
      const body = seen ? { ...fields, seen: pickFields(seen) } : fields
      const handledStatus = conflictStatus
      const response = await this.#sendWrite('PATCH', paths.book(id), { body, handledStatus })
      if (response.status === conflictStatus) return this.#throwConflict(response)
      const record = seen ? await readJson<Employee>(response) : fields
      this.#recordWrite(saved({ id, ...pickFields(record) }), response, changesDuringCall)
      return pickFields(record)
    })
  }

  remove(id: string): Promise<void> {
    return this.#tracker.collectChangesDuring(async (changesDuringCall) => {
      const response = await this.#sendWrite('DELETE', paths.book(id)).catch(ignore('not-found'))
      if (response) this.#recordWrite({ type: 'removed', id }, response, changesDuringCall)
    })
  }

  restore(employee: Employee): Promise<string | null> {
    return this.#tracker.collectChangesDuring(async (changesDuringCall) => {
      const response = await this.#sendWrite('PUT', paths.book(employee.id), { body: pickFields(employee) })
      const { after } = await readJson<{ after: string | null }>(response)
      this.#recordWrite(saved(employee, after), response, changesDuringCall)
      return after
    })
  }

  writeBatch(batch: Batch, key: string, options: BatchOptions = {}): Promise<BatchResult> {
    const { signal, onProgress = () => {} } = options
    return this.#tracker.collectChangesDuring(async (changesDuringCall) => {
      const revisionBefore = this.#tracker.latestRevision
      const headers = { [idempotencyKeyHeader]: key }
      const request = () => this.#send('POST', paths.batch, { body: batch, headers, signal, onProgress })
      const response = await this.#sharing.withSlot('upload', request, signal)
      const result = await readJson<BatchResult>(response)
      const revision = readRevision(response)
      this.#recordWrittenIds(collectWrittenIds(batch, result), revision, changesDuringCall)
      if (revision <= revisionBefore) this.#requestReload()
      return result
    })
  }

  subscribe(listener: ChangeListener): () => void {
    this.#listener = listener
    const name = `staffbook-changes ${this.#sharing.getUid() ?? newIdempotencyKey()} ${this.#epoch}`
    const stream = new SharedStream(this.#send, this.#listRevision, name, {
      onChanges: (changes) => {
        const current = changes.filter((change) => this.#tracker.recordEvent(change))
        if (current.length > 0) listener.onChanges(current.map(withoutRevision))
      },
      onStale: () => {
        this.#tracker.forgetOwnWrites()
        listener.onStale()
      },
      onConnectionChange: listener.onConnectionChange,
      onSessionEnded: listener.onSessionEnded,
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

  #sendWrite(method: string, path: string, options?: SendOptions): Promise<Response> {
    return this.#sharing.withSlot('write', () => this.#send(method, path, options))
  }

  /** Notifies of the current record, unless the stream has delivered it: its connection may be lost. */
  async #throwConflict(response: Response): Promise<never> {
    const { message, document, after } = await readJson<Conflict>(response)
    const revision = readRevision(response)
    if (revision > this.#tracker.latestRevision) {
      this.#tracker.recordWrite(new Set([document.id]), revision)
      this.#listener?.onChanges([{ type: 'saved', document, after }])
    }
    throw new ServiceError('conflict', message)
  }

  /** Records a write of one record, for a list that was requested before it. */
  #recordWrite(change: Change, response: Response, changesDuringCall: ChangeEvent[]) {
    const revision = readRevision(response)
    this.#tracker.recordOwnChange({ ...change, revision })
    this.#recordWrittenIds(new Set([changedId(change)]), revision, changesDuringCall)
  }

  /** Marks the records as written by us, and notifies again of newer changes received before the response. */
  #recordWrittenIds(ids: Set<string>, revision: number, changesDuringCall: ChangeEvent[]) {
    this.#tracker.recordWrite(ids, revision)
    // In a new task, so that the caller has processed the response first.
    setTimeout(() => {
      const newer = changesDuringCall.filter(
        (change) => ids.has(changedId(change)) && change.revision > revision,
      )
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

/** The revision of a write. For a repeated write, the revision of its record's latest change. */
function readRevision(response: Response): number {
  return Number(response.headers.get(revisionHeader))
}

/** Revisions are internal to this adapter. */
function withoutRevision({ revision: _, ...change }: ChangeEvent): Change {
  return change
}
