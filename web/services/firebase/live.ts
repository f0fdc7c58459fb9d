import {
  type DocumentData,
  getDocsFromServer,
  onSnapshot,
  type Query,
  type QuerySnapshot,
} from 'firebase/firestore'
import type { Employee } from '../../../contract/employees.ts'
import type { Change } from '../../../contract/protocol.ts'
import type { Observer } from '../ports.ts'
import { failure, serviceError } from './errors.ts'
import { createOrderedIds } from './ordered-ids.ts'

/** The longest that reading the whole register may take, in milliseconds. */
const longestReading = 120_000

/** The register as Firestore's listener shows it: one reading serves the list and then the changes. */
export interface Live {
  /** Reads the register anew, and goes on listening. Rejects with a `ServiceError`. */
  open(): Promise<Employee[]>
  /** Tells what has changed since the last `open`. */
  observe(observer: Observer): () => void
  /** Says that the session is over, and tells nothing more. */
  end(): void
  /** Runs a write to one record, and sees to it that an answer that comes late is not the last word on it. */
  around<T>(id: string, write: () => Promise<T>): Promise<T>
  /** That the page now knows of a record, or no longer does. Answers the id that stands before it. */
  known(id: string, isThere: boolean): string | null
}

export function createLive(everything: Query): Live {
  /** What the listener has shown. */
  const shown = new Map<string, Employee>()
  /** What the page has been told of, by the listener or by the answer to a write. */
  const ids = createOrderedIds()
  let waiting: { resolve: (book: Employee[]) => void; reject: (error: unknown) => void }[] = []
  let isOpen = false
  let isConnected = false
  let observer: Observer | undefined
  let untold: Change[] = []
  let stopListening = () => {}

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
      clearTimeout(timer)
      unsubscribe()
    }
    // The listener alone does not tell a cache on its way to the present from a cache without a line. This call does,
    // on the listener's own query, so that nothing is read twice.
    getDocsFromServer(everything).then(() => clearTimeout(timer), giveUp)
  }

  function take(snapshot: QuerySnapshot) {
    if (isOpen) takeChanges(snapshot)
    else if (!snapshot.metadata.fromCache) takeAll(snapshot)
  }

  function takeAll(snapshot: QuerySnapshot) {
    const book = snapshot.docs.map((document) => employeeOf(document.id, document.data()))
    shown.clear()
    for (const employee of book) shown.set(employee.id, employee)
    ids.reset(book.map(({ id }) => id))
    untold = []
    isOpen = true
    settle(({ resolve }) => resolve(book))
    tellConnected(true)
  }

  function takeChanges(snapshot: QuerySnapshot) {
    const changes = snapshot.docChanges().map(({ type, doc }) => {
      if (type === 'removed') shown.delete(doc.id)
      else shown.set(doc.id, employeeOf(doc.id, doc.data()))
      return changeOf(doc.id)
    })
    if (changes.length > 0) tell(changes)
    tellConnected(!snapshot.metadata.fromCache)
  }

  /** What the listener last showed of this record, as a change. */
  function changeOf(id: string): Change {
    const document = shown.get(id)
    const after = known(id, document !== undefined)
    return document ? { type: 'saved', document, after } : { type: 'removed', id }
  }

  function known(id: string, isThere: boolean): string | null {
    if (isThere) ids.add(id)
    else ids.remove(id)
    return ids.before(id)
  }

  function fail(error: unknown) {
    const wasOpen = isOpen
    const { code } = serviceError(error)
    stopListening()
    settle(({ reject }) => reject(serviceError(error)))
    if (!wasOpen) return
    if (code === 'not-allowed' || code === 'not-signed-in') end()
    else observer?.stale()
  }

  function settle(how: (one: (typeof waiting)[number]) => void) {
    const settled = waiting
    waiting = []
    settled.forEach(how)
  }

  function tell(changes: Change[]) {
    if (observer) observer.changed(changes)
    else untold.push(...changes)
  }

  function tellConnected(connected: boolean) {
    if (connected !== isConnected) observer?.connected(connected)
    isConnected = connected
  }

  function end() {
    const told = observer
    observer = undefined
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

    observe(newcomer) {
      observer = newcomer
      queueMicrotask(() => {
        if (observer !== newcomer) return
        if (!isOpen) return newcomer.stale()
        if (untold.length > 0) newcomer.changed(untold)
        untold = []
        newcomer.connected(isConnected)
      })
      return () => {
        if (observer !== newcomer) return
        observer = undefined
        stopListening()
      }
    },

    end,
    known,

    async around(id, write) {
      const before = shown.get(id)
      const answer = await write()
      // In a task of its own: after the caller has taken in this answer.
      if (isOpen && shown.get(id) !== before) setTimeout(() => isOpen && tell([changeOf(id)]))
      return answer
    },
  }
}

/** By name: whatever else somebody may have put into a document with Firebase's console is none of ours. */
function employeeOf(id: string, { eName, email, password }: DocumentData): Employee {
  return { id, eName: String(eName ?? ''), email: String(email ?? ''), password: String(password ?? '') }
}
