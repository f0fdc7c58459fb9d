import { getDocsFromServer, onSnapshot, type Query, type QuerySnapshot } from 'firebase/firestore'
import type { Employee } from '../../../contract/employees.ts'
import type { Observer } from '../ports.ts'
import { employeeOf } from './employee-of.ts'
import { failure, serviceError } from './errors.ts'
import type { View } from './page-view.ts'
import { longestReading } from './timeout.ts'

/** The SDK doubts its picture for a moment after some removals; only a doubt that lasts this long is a lost line. */
const shortestLoss = 1_000

/** Firestore's listener: one reading of the register serves the list and then the changes. */
export interface Live {
  /** Reads the register anew, and goes on listening. Rejects with a `ServiceError`. */
  open(): Promise<Employee[]>
  /** Tells what has changed since the last `open`. */
  observe(observer: Observer): () => void
  /** Says that the session is over, and tells nothing more. */
  end(): void
}

export function createLive(everything: Query, view: View): Live {
  let waiting: { resolve: (book: Employee[]) => void; reject: (error: unknown) => void }[] = []
  let isOpen = false
  let isConnected = false
  let doubt: ReturnType<typeof setTimeout> | undefined
  let stopListening = () => {}
  let stopTelling = () => {}

  function listen() {
    let isWanted = true
    const giveUp = (error: unknown) => {
      if (isWanted) fail(error)
    }
    const timer = setTimeout(() => giveUp(failure('offline')), longestReading)
    const unsubscribe = onSnapshot(everything, { includeMetadataChanges: true }, take, fail)
    stopListening = () => {
      isWanted = false
      isOpen = false
      isConnected = false
      clearTimeout(timer)
      clearTimeout(doubt)
      unsubscribe()
    }
    // The listener alone does not tell a cache on its way to the present from a cache without a line. This call does,
    // on the listener's own query, so that nothing is read twice.
    getDocsFromServer(everything).then(() => clearTimeout(timer), giveUp)
  }

  function take(snapshot: QuerySnapshot) {
    const { fromCache } = snapshot.metadata
    if (isOpen) takeChanges(snapshot)
    else if (!fromCache) takeAll(snapshot)
    if (isOpen) connect(!fromCache)
  }

  function takeAll(snapshot: QuerySnapshot) {
    const book = snapshot.docs.map((document) => employeeOf(document.id, document.data()))
    view.reset(book)
    isOpen = true
    settle(({ resolve }) => resolve(book))
  }

  function takeChanges(snapshot: QuerySnapshot) {
    const changes = snapshot.docChanges().map(({ type, doc }) => ({
      id: doc.id,
      document: type === 'removed' ? null : employeeOf(doc.id, doc.data()),
    }))
    view.show(changes)
  }

  function connect(connected: boolean) {
    clearTimeout(doubt)
    if (connected === isConnected) return
    if (!connected) {
      doubt = setTimeout(tellConnected, shortestLoss, false)
      return
    }
    tellConnected(true)
  }

  function tellConnected(connected: boolean) {
    isConnected = connected
    view.observer()?.connected(connected)
  }

  function fail(error: unknown) {
    const wasOpen = isOpen
    const { code } = serviceError(error)
    stopListening()
    settle(({ reject }) => reject(serviceError(error)))
    if (!wasOpen) return
    if (code === 'not-allowed' || code === 'not-signed-in') end()
    else view.observer()?.stale()
  }

  function settle(how: (one: (typeof waiting)[number]) => void) {
    const settled = waiting
    waiting = []
    settled.forEach(how)
  }

  function end() {
    const told = view.observer()
    stopTelling()
    stopListening()
    settle(({ reject }) => reject(failure('not-signed-in')))
    told?.ended()
  }

  return {
    open() {
      stopListening()
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        listen()
      })
    },

    observe(observer) {
      stopTelling = view.observe(observer)
      queueMicrotask(() => {
        if (view.observer() !== observer) return
        if (isOpen) observer.connected(isConnected)
        else observer.stale()
      })
      return () => {
        if (view.observer() !== observer) return
        stopTelling()
        // Whoever is waiting for a list still needs the listener.
        if (waiting.length === 0) stopListening()
      }
    },

    end,
  }
}
