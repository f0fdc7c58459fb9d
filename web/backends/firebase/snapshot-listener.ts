import { doc, getDocsFromServer, onSnapshot, type Query, type QuerySnapshot } from 'firebase/firestore'
import { collection, type Employee } from '../../../contract/employees.ts'
import type { ChangeListener } from '../ports.ts'
import { createServiceError } from '../service-error.ts'
import { toServiceError } from './errors.ts'
import { read } from './firestore.ts'
import { type PageView, toEmployee } from './page-view.ts'
import { checkStream } from './stream-check.ts'

/** Timeout for reading the whole collection, in milliseconds. */
export const readTimeoutMs = 120_000

/** The SDK briefly reports `fromCache` after some removals; a lost connection is reported only if it lasts this long. */
const disconnectGraceMs = 1_000

/** Wraps Firestore's listener: a single read of the collection serves both the list and the changes after it. */
export class SnapshotListener {
  readonly #query: Query
  readonly #view: PageView
  readonly #checkIntervalMs: number
  #pendingList: PromiseWithResolvers<Employee[]> | undefined
  #isOpen = false
  #isConnected = false
  #disconnectTimer: ReturnType<typeof setTimeout> | undefined
  #streamCheck: ReturnType<typeof checkStream> | undefined
  #stopListening = () => {}

  /** A visible page that hears nothing for `checkIntervalMs` milliseconds checks its connection. */
  constructor(query: Query, view: PageView, checkIntervalMs: number) {
    this.#query = query
    this.#view = view
    this.#checkIntervalMs = checkIntervalMs
  }

  /** Reads the collection and keeps listening for changes. Rejects with a `ServiceError`. */
  list(): Promise<Employee[]> {
    this.#stopListening()
    this.#pendingList ??= Promise.withResolvers()
    let isCurrent = true
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
      clearTimeout(this.#disconnectTimer)
      this.#streamCheck?.stop()
      unsubscribe()
    }
    // The snapshots alone do not distinguish a cache that is being updated from one without a connection. This request
    // does. It shares the listener's query, so Firestore reads the documents only once.
    const isAwaited = () => isCurrent && !this.#isOpen
    const request = async () => (isAwaited() ? getDocsFromServer(this.#query) : null)
    read(this.#query.firestore, request, readTimeoutMs).catch((error) => {
      if (isCurrent) this.#fail(error)
    })
    return this.#pendingList.promise
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
      if (!this.#pendingList) this.#stopListening()
    }
  }

  /** Notifies the listener that the session has ended, then stops. */
  endSession(): void {
    const { listener } = this.#view
    this.#view.listener = undefined
    this.#stopListening()
    this.#takePendingList()?.reject(createServiceError('not-signed-in'))
    listener?.onSessionEnded()
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
    const stream = {
      document: doc(this.#query.firestore, collection, 'stream-check'),
      view: this.#view,
      isConnected: () => this.#isConnected,
      onSilent: () => this.#updateConnection(false),
    }
    this.#streamCheck = checkStream(stream, this.#checkIntervalMs)
    this.#takePendingList()?.resolve(employees)
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
    this.#view.listener?.onConnectionChange(isConnected)
  }

  #fail(error: unknown) {
    const wasOpen = this.#isOpen
    const serviceError = toServiceError(error)
    this.#stopListening()
    this.#takePendingList()?.reject(serviceError)
    if (!wasOpen) return
    if (serviceError.code === 'not-allowed' || serviceError.code === 'not-signed-in') this.endSession()
    else this.#view.listener?.onStale()
  }

  #takePendingList() {
    const pendingList = this.#pendingList
    this.#pendingList = undefined
    return pendingList
  }
}
