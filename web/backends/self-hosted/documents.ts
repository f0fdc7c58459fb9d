import type { Batch, BatchResult, Restored } from '../../../contract/batches.ts'
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
  repeatedHeader,
  revisionHeader,
  usedHeader,
} from '../../../contract/protocol.ts'
import { anyPlace, applyChanges } from '../apply-changes.ts'
import { listRestored } from '../batch.ts'
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
import { throwOffline } from '../throw-offline.ts'
import { ignore, openResponse, readJson, readNumber, type Send, type SendOptions } from './client.ts'
import type { withSlot } from './connection-slots.ts'
import { readBookList } from './list-parser.ts'
import { SharedStream } from './shared-stream.ts'

/** What the tabs of a browser share with one another. */
export interface Sharing {
  /** Tabs with the same uid share an event stream; without one, a tab has its own. */
  getUid(): string | undefined
  withSlot: typeof withSlot
  /** The first of the list that is requested next, if it was requested apart, so that it need not wait for the others. */
  takeFirst?(): Promise<Response> | undefined
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
      this.#latestRevision = Math.max(revision, this.#latestRevision)
      return applyChanges(documents, this.#changesAfter(revision))
    })
  }

  async #readList(onPart?: OnPart): Promise<BookList> {
    let hasList = false
    // Unless the list, which has all records, arrives before them. Whatever it fails for, the list does too.
    const passOn = async (response: Response) => {
      const { documents }: BookList = await response.json()
      if (response.ok && !hasList) await onPart?.(documents, readNumber(response, countHeader))
    }
    this.#sharing
      .takeFirst?.()
      ?.then(passOn)
      .catch(() => {})
    const opening = openResponse(this.#send, paths.books, listIdleTimeoutMs)
    const { response, chunks } = await opening.finally(() => {
      hasList = true
    })
    this.#epoch = response.headers.get(epochHeader)
    this.usedPercent = readNumber(response, usedHeader)
    const total = readNumber(response, countHeader)
    return readBookList(chunks, onPart && ((employees) => onPart(employees, total))).catch(throwOffline)
  }

  add(fields: EmployeeFields, key: string): Promise<string> {
    return this.#call(async () => {
      const response = await this.#sendWrite('POST', paths.books, key, { body: fields }).catch((error) => {
        if (error.code === 'key-reused') this.#requestReload()
        throw error
      })
      const { id } = await readJson<{ id: string }>(response)
      this.#recordWrites([saved({ id, ...fields })], response)
      return id
    })
  }

  update(id: string, fields: EmployeeFields, seen?: EmployeeFields, key?: string): Promise<EmployeeFields> {
    return this.#call(async () => {
      const body = toBody(fields, seen)
      const handledStatus = conflictStatus
      const response = await this.#sendWrite('PATCH', paths.book(id), key, { body, handledStatus })
      if (response.status === conflictStatus) return this.#throwConflict(response)
      const written = pickFields(seen ? await readJson<Employee>(response) : fields)
      this.#recordWrites([saved({ id, ...written })], response)
      return written
    })
  }

  remove(id: string, key?: string): Promise<void> {
    return this.#call(async () => {
      const response = await this.#sendWrite('DELETE', paths.book(id), key).catch(ignore('not-found'))
      if (response) this.#recordWrites([{ type: 'removed', id }], response)
      // Somebody else has removed it; another may have restored it since.
      else this.#repeatNewer(0, [{ type: 'removed', id }])
    })
  }

  restore(employee: Employee, seen?: EmployeeFields, key?: string) {
    return this.#call(async () => {
      const body = toBody(employee, seen)
      const response = await this.#sendWrite('PUT', paths.book(employee.id), key, { body })
      const { after, document = employee } = await readJson<Restored>(response)
      this.#recordWrites([saved(document, after)], response)
      return { document, after }
    })
  }

  writeBatch(
    batch: Batch,
    key: string,
    { signal, onProgress = () => {} }: BatchOptions = {},
  ): Promise<BatchResult> {
    return this.#call(async () => {
      const options = { body: batch, signal, onProgress }
      const response = await this.#sendWrite('POST', paths.batch, key, options, 'upload')
      const result = await readJson<BatchResult>(response)
      const written = collectWritten(batch, result)
      this.#recordWrites(written, response, readRevision(response) - written.length + 1)
      return result
    })
  }

  subscribe(listener: ChangeListener): () => void {
    this.#listener = listener
    const name = `staffbook-changes ${this.#sharing.getUid() ?? newIdempotencyKey()} ${this.#epoch}`
    const stream = new SharedStream(this.#send, this.#listRevision, name, {
      ...listener,
      onChanges: (changes) => {
        for (const change of changes) {
          this.#remember(change)
          this.#latestRevision = Math.max(this.#latestRevision, change.revision)
          // Behind one that our own write has removed or moved since, of which the stream has not told yet, its place is unknown.
          const after = change.type === 'saved' && change.after
          if (after && !this.#isTold(this.#ownRevision(after))) this.#requestReload()
        }
        const current = changes.filter((change) => this.#isCurrent(change))
        if (current.length > 0) listener.onChanges(current.map(withoutRevision))
      },
      onStale: () => {
        // The server may count from a lower revision after a backup was restored.
        this.#ownRevisions.clear()
        this.#latestRevision = 0
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
    return change.revision >= this.#ownRevision(changedId(change))
  }

  /** Whether the page has everything up to this revision, in its place. */
  #isTold(revision: number): boolean {
    return revision <= this.#latestRevision
  }

  #ownRevision(id: string): number {
    return this.#ownRevisions.get(id) ?? 0
  }

  #recordOwnRevision(id: string, revision: number) {
    this.#ownRevisions.set(id, Math.max(revision, this.#ownRevision(id)))
  }

  #changesAfter(revision: number): ChangeEvent[] {
    return this.#recentChanges.filter((change) => change.revision > revision && this.#isCurrent(change))
  }

  #sendWrite(
    method: string,
    path: string,
    key?: string,
    options: SendOptions = {},
    kind: 'write' | 'upload' = 'write',
  ): Promise<Response> {
    const headers = key ? { [idempotencyKeyHeader]: key } : {}
    const { getUid, withSlot } = this.#sharing
    const uid = getUid()
    // While it waits for a connection, another account may sign in, which must not become the author.
    const request = () =>
      getUid() === uid ? this.#send(method, path, { ...options, headers }) : throwOffline()
    return withSlot(kind, request, options.signal)
  }

  /** Notifies of the current record, unless the stream has delivered it: its connection may be lost. */
  async #throwConflict(response: Response): Promise<never> {
    const { message, document, after } = await readJson<Conflict>(response)
    const revision = readRevision(response)
    if (!this.#isTold(revision)) {
      this.#recordOwnRevision(document.id, revision)
      this.#listener?.onChanges([saved(document, after)])
    }
    throw new ServiceError('conflict', message)
  }

  /**
   * Marks the records as written by us, also for a list that was requested before. Each of a batch has a revision, of which `first` is
   * the first. If the write repeats what was done before, they may have been changed, moved or removed since: reloads the list instead.
   */
  #recordWrites(changes: Change[], response: Response, first?: number) {
    if (response.headers.has(repeatedHeader)) return this.#requestReload()
    const revision = readRevision(response)
    for (const change of changes) {
      if (!this.#isTold(revision)) this.#remember({ ...change, revision })
      this.#recordOwnRevision(changedId(change), first ?? revision)
    }
    this.#repeatNewer(revision, changes)
  }

  /**
   * Notifies again of what was received before a response about the records that it has `written`, if that is newer: the response
   * takes its place. They stay where they are. The place of one that the response removes is lost: reloads the list.
   */
  #repeatNewer(revision: number, written: Change[]) {
    // In a new task, so that the caller has processed the response first.
    setTimeout(() => {
      const newer = new Map(this.#changesAfter(revision).map((change) => [changedId(change), change]))
      const repeated = written.flatMap((change) => newer.get(changedId(change)) ?? [])
      const stay = (change: ChangeEvent) =>
        change.type === 'saved' ? saved(change.document) : withoutRevision(change)
      if (repeated.length > 0) this.#listener?.onChanges(repeated.map(stay))
      if (written.some((change) => change.type === 'removed' && newer.get(change.id)?.type === 'saved'))
        this.#requestReload()
    })
  }

  /** Makes the page reload the list. */
  #requestReload() {
    setTimeout(() => this.#listener?.onStale())
  }
}

/** The body of an update or a restore. `seen`: the record as its author saw it; JSON leaves it out if it is undefined. */
const toBody = (fields: EmployeeFields, seen: EmployeeFields | undefined) => ({
  ...pickFields(fields),
  seen: seen && pickFields(seen),
})

const saved = (document: Employee, after: string | null = anyPlace): Change => ({
  type: 'saved',
  document,
  after,
})

/** What a batch has changed: all but its conflicts. */
function collectWritten(batch: Batch, result: BatchResult): Change[] {
  const { add, update, remove } = batch
  const conflicts = new Set(result.kept)
  return [
    ...result.ids.flatMap((id, i) => (add[i] ? [saved({ id, ...add[i] })] : [])),
    ...update.map(({ seen: { id }, fields }) => saved({ id, ...fields })),
    ...remove.map(({ id }): Change => ({ type: 'removed', id })),
    ...listRestored(batch, result),
  ].filter((change) => !conflicts.has(changedId(change)))
}

/** The revision of a write. Only our server sends one. */
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
