import { getDocsFromServer, onSnapshot, type Query, type QuerySnapshot } from 'firebase/firestore'
import type { Employee } from '../../../contract/employees.ts'
import type { ChangeListener } from '../ports.ts'
import { createServiceError, toServiceError } from './errors.ts'
import type { PageView } from './page-view.ts'
import { readTimeoutMs } from './timeout.ts'
import { toEmployee } from './to-employee.ts'

/** The SDK doubts its picture for a moment after some removals; only a doubt that lasts this long is a lost line. */
const disconnectGraceMs = 1_000

/** Firestore's listener: one reading of the register serves the list and then the changes. */
export interface SnapshotListener {
  /** Reads the register anew, and goes on listening. Rejects with a `ServiceError`. */
  open(): Promise<Employee[]>
  /** Tells what has changed since the last `open`. */
  subscribe(listener: ChangeListener): () => void
  /** Says that the session is over, and tells nothing more. */
  endSession(): void
}

export function createSnapshotListener(collectionQuery: Query, view: PageView): SnapshotListener {
  let pendingOpens: { resolve: (book: Employee[]) => void; reject: (error: unknown) => void }[] = []
  let isOpen = false
  let isConnected = false
  let disconnectTimer: ReturnType<typeof setTimeout> | undefined
  let stopListening = () => {}
  let removeListener = () => {}

  function listen() {
    let isCurrent = true
    const failIfCurrent = (error: unknown) => {
      if (isCurrent) fail(error)
    }
    const timer = setTimeout(() => failIfCurrent(createServiceError('offline')), readTimeoutMs)
    const unsubscribe = onSnapshot(collectionQuery, { includeMetadataChanges: true }, handleSnapshot, fail)
    stopListening = () => {
      isCurrent = false
      isOpen = false
      isConnected = false
      clearTimeout(timer)
      clearTimeout(disconnectTimer)
      unsubscribe()
    }
    // The listener alone does not tell a cache on its way to the present from a cache without a line. This call does,
    // on the listener's own query, so that nothing is read twice.
    getDocsFromServer(collectionQuery).then(() => clearTimeout(timer), failIfCurrent)
  }

  function handleSnapshot(snapshot: QuerySnapshot) {
    const { fromCache } = snapshot.metadata
    if (isOpen) handleChanges(snapshot)
    else if (!fromCache) handleFirstSnapshot(snapshot)
    if (isOpen) updateConnection(!fromCache)
  }

  function handleFirstSnapshot(snapshot: QuerySnapshot) {
    const employees = snapshot.docs.map((document) => toEmployee(document.id, document.data()))
    view.reset(employees)
    isOpen = true
    resolveAll(({ resolve }) => resolve(employees))
  }

  function handleChanges(snapshot: QuerySnapshot) {
    const changes = snapshot.docChanges().map(({ type, doc }) => ({
      id: doc.id,
      document: type === 'removed' ? null : toEmployee(doc.id, doc.data()),
    }))
    view.applySnapshotChanges(changes)
  }

  function updateConnection(isNowConnected: boolean) {
    clearTimeout(disconnectTimer)
    if (isNowConnected === isConnected) return
    if (!isNowConnected) {
      disconnectTimer = setTimeout(notifyConnection, disconnectGraceMs, false)
      return
    }
    notifyConnection(true)
  }

  function notifyConnection(connected: boolean) {
    isConnected = connected
    view.currentListener()?.onConnectionChange(connected)
  }

  function fail(error: unknown) {
    const wasOpen = isOpen
    const { code } = toServiceError(error)
    stopListening()
    resolveAll(({ reject }) => reject(toServiceError(error)))
    if (!wasOpen) return
    if (code === 'not-allowed' || code === 'not-signed-in') endSession()
    else view.currentListener()?.onStale()
  }

  function resolveAll(settleOne: (one: (typeof pendingOpens)[number]) => void) {
    const pending = pendingOpens
    pendingOpens = []
    pending.forEach(settleOne)
  }

  function endSession() {
    const listener = view.currentListener()
    removeListener()
    stopListening()
    resolveAll(({ reject }) => reject(createServiceError('not-signed-in')))
    listener?.onSessionEnded()
  }

  return {
    open() {
      stopListening()
      return new Promise((resolve, reject) => {
        pendingOpens.push({ resolve, reject })
        listen()
      })
    },

    subscribe(listener) {
      removeListener = view.subscribe(listener)
      queueMicrotask(() => {
        if (view.currentListener() !== listener) return
        if (isOpen) listener.onConnectionChange(isConnected)
        else listener.onStale()
      })
      return () => {
        if (view.currentListener() !== listener) return
        removeListener()
        // Whoever is waiting for a list still needs the listener.
        if (pendingOpens.length === 0) stopListening()
      }
    },

    endSession,
  }
}
