import { doc, getDocsFromServer, onSnapshot, type Query, type QuerySnapshot } from 'firebase/firestore'
import { collection, type Employee } from '../../../contract/employees.ts'
import type { ChangeListener } from '../ports.ts'
import { createServiceError, toServiceError } from './errors.ts'
import { type PageView, toEmployee } from './page-view.ts'
import { StreamCheck } from './stream-check.ts'

/** Timeout for reading the whole collection, in milliseconds. */
export const readTimeoutMs = 120_000

/** The SDK briefly reports `fromCache` after some removals; a lost connection is reported only if it lasts this long. */
const disconnectGraceMs = 1_000

/** Wraps Firestore's listener: a single read of the collection serves both the list and the changes after it. */
export class SnapshotListener {
  readonly #query: Query
  readonly #view: PageView
  readonly #checkIntervalMs: number
  #pendingLists: PromiseWithResolvers<Employee[]>[] = []
  #isOpen = false
  #isConnected = false
  #disconnectTimer: ReturnType<typeof setTimeout> | undefined
  #streamCheck: StreamCheck | undefined
  #stopListening = () => {}

  /** A visible page that hears nothing for `checkIntervalMs` milliseconds checks its connection. */
  constructor(query: Query, view: PageView, checkIntervalMs: number) {
    this.#query = query
    this.#view = view
    this.#checkIntervalMs = checkIntervalMs
    view.onUnconfirmedWrite = () => this.#streamCheck?.confirmSoon()
  }

  /** Reads the collection and keeps listening for changes. Rejects with a `ServiceError`. */
  list(): Promise<Employee[]> {
    this.#stopListening()
    const pendingList = Promise.withResolvers<Employee[]>()
    this.#pendingLists.push(pendingList)
    this.#listen()
    return pendingList.promise
  }

  /** Notifies this listener, and no earlier one, of changes since the last `list()`. */
  subscribe(listener: ChangeListener): () => void {
    this.#view.subscribe(listener)
    queueMicrotask(() => {
      if (this.#view.listener !== listener) return
      if (this.#isOpen) listener.onConnectionChange(this.#isConnected)
      else listener.onStale()
    })
    return () => {
      if (this.#view.listener !== listener) return
      this.#view.listener = undefined
      // A pending `list()` still needs the snapshots.
      if (this.#pendingLists.length === 0) this.#stopListening()
    }
  }

  /** Notifies the listener that the session has ended, then stops. */
  endSession(): void {
    const { listener } = this.#view
    this.#view.listener = undefined
    this.#stopListening()
    this.#settleLists(({ reject }) => reject(createServiceError('not-signed-in')))
    listener?.onSessionEnded()
  }

  #listen() {
    let isCurrent = true
    const failIfCurrent = (error: unknown) => {
      if (isCurrent) this.#fail(error)
    }
    const timer = setTimeout(() => failIfCurrent(createServiceError('offline')), readTimeoutMs)
    const unsubscribe = onSnapshot(
      this.#query,
      { includeMetadataChanges: true },
      (snapshot) => this.#handleSnapshot(snapshot),
      (error) => this.#fail(error),
    )
    this.#stopListening = () => {
      isCurrent = false
      this.#isOpen = false
      this.#isConnected = false
      clearTimeout(timer)
      clearTimeout(this.#disconnectTimer)
      this.#streamCheck?.stop()
      unsubscribe()
    }
    // The snapshots alone do not distinguish a cache that is being updated from one without a connection. This request
    // does. It shares the listener's query, so Firestore reads the documents only once.
    getDocsFromServer(this.#query).then(() => clearTimeout(timer), failIfCurrent)
  }

  #handleSnapshot(snapshot: QuerySnapshot) {
    const { fromCache } = snapshot.metadata
    if (this.#isOpen) this.#applyChanges(snapshot)
    else if (!fromCache) this.#applyFirstSnapshot(snapshot)
    if (this.#isOpen) this.#updateConnection(!fromCache)
    if (!fromCache) this.#streamCheck?.recordSnapshot()
  }

  #applyFirstSnapshot(snapshot: QuerySnapshot) {
    const employees = snapshot.docs.map((document) => toEmployee(document.id, document.data()))
    this.#view.reset(employees)
    this.#isOpen = true
    this.#streamCheck = new StreamCheck({
      document: doc(this.#query.firestore, collection, 'stream-check'),
      intervalMs: this.#checkIntervalMs,
      view: this.#view,
      isConnected: () => this.#isConnected,
      onSilent: () => this.#updateConnection(false),
    })
    this.#settleLists(({ resolve }) => resolve(employees))
  }

  #applyChanges(snapshot: QuerySnapshot) {
    const changes = snapshot.docChanges().map(({ type, doc }) => ({
      id: doc.id,
      document: type === 'removed' ? null : toEmployee(doc.id, doc.data()),
    }))
    this.#view.applySnapshotChanges(changes)
  }

  #updateConnection(isConnected: boolean) {
    clearTimeout(this.#disconnectTimer)
    if (isConnected) this.#setConnected(true)
    else this.#disconnectTimer = setTimeout(() => this.#setConnected(false), disconnectGraceMs)
  }

  #setConnected(isConnected: boolean) {
    if (isConnected === this.#isConnected) return
    this.#isConnected = isConnected
    if (isConnected) this.#streamCheck?.confirmSoon()
    this.#view.listener?.onConnectionChange(isConnected)
  }

  #fail(error: unknown) {
    const wasOpen = this.#isOpen
    const serviceError = toServiceError(error)
    this.#stopListening()
    this.#settleLists(({ reject }) => reject(serviceError))
    if (!wasOpen) return
    if (serviceError.code === 'not-allowed' || serviceError.code === 'not-signed-in') this.endSession()
    else this.#view.listener?.onStale()
  }

  #settleLists(settle: (pendingList: PromiseWithResolvers<Employee[]>) => void) {
    const pendingLists = this.#pendingLists
    this.#pendingLists = []
    pendingLists.forEach(settle)
  }
}
