import { type Employee, type EmployeeFields, hasSameFields } from '../../../contract/employees.ts'
import type { Change } from '../../../contract/protocol.ts'
import type { ChangeListener } from '../ports.ts'
import { createOrderedIds } from './ordered-ids.ts'

/** More changes than this are not told one by one: the list is read again. */
const maxChangesToNotify = 1_000

/** What is asked to become of a record: its fields, or null where it is to go. */
export type RequestedWrite = [id: string, fields: EmployeeFields | null]

/**
 * Two pictures of the register: what Firestore has shown, and what the page knows, by the list, by what it was told or
 * by the answers to its own writes. It tells the page the difference.
 */
export interface PageView {
  /** The page knows exactly this list. */
  reset(book: Employee[]): void
  /** Firestore shows these records, or shows that they are gone. */
  applySnapshotChanges(changes: { id: string; document: Employee | null }[]): void
  /** That the page knows of a record, or that it is gone. Answers the id that stands before it. */
  recordPresence(id: string, isPresent: boolean): string | null
  /** Runs a write, and sees to it that an answer that comes late is not the last word on its record. */
  trackWrite<T>(requested: RequestedWrite, write: () => Promise<T>): Promise<T>
  /** The same for many records; what is shown meanwhile is told afterwards, less what was asked for. */
  trackBatch<T>(requested: RequestedWrite[], write: () => Promise<T>): Promise<T>
  /** From now on tells this observer, beginning with what was not told yet. */
  subscribe(listener: ChangeListener): () => void
  /** Whom to tell; nobody where nobody is watching. */
  currentListener(): ChangeListener | undefined
}

export function createPageView(): PageView {
  const snapshot = new Map<string, Employee>()
  const ids = createOrderedIds()
  const pendingIds = new Set<string>()
  /** What is shown while a write is on its way, one set of ids for each such write. */
  const writesInFlight = new Set<Set<string>>()
  let batchesInFlight = 0
  let listener: ChangeListener | undefined

  function notify() {
    if (!listener || batchesInFlight > 0 || pendingIds.size === 0) return
    const changes = Array.from(pendingIds, toChange)
    pendingIds.clear()
    if (changes.length > maxChangesToNotify) listener.onStale()
    else listener.onChanges(changes)
  }

  function toChange(id: string): Change {
    const document = snapshot.get(id)
    const after = recordPresence(id, document !== undefined)
    return document ? { type: 'saved', document, after } : { type: 'removed', id }
  }

  function recordPresence(id: string, isThere: boolean): string | null {
    if (isThere) ids.add(id)
    else ids.remove(id)
    return ids.previousId(id)
  }

  function updateSnapshot(id: string, document: Employee | null) {
    if (document) snapshot.set(id, document)
    else snapshot.delete(id)
    for (const changedIds of writesInFlight) changedIds.add(id)
  }

  function isReflected([id, fields]: RequestedWrite): boolean {
    const document = snapshot.get(id)
    return fields && document ? hasSameFields(document, fields) : !fields && !document
  }

  return {
    reset(employees) {
      snapshot.clear()
      for (const employee of employees) updateSnapshot(employee.id, employee)
      ids.reset(employees.map(({ id }) => id))
      pendingIds.clear()
    },

    applySnapshotChanges(changes) {
      for (const { id, document } of changes) {
        updateSnapshot(id, document)
        pendingIds.add(id)
      }
      notify()
    },

    recordPresence,

    async trackWrite(asked, write) {
      const [id] = asked
      const changedIds = new Set<string>()
      writesInFlight.add(changedIds)
      try {
        const answer = await write()
        if (changedIds.has(id) && !isReflected(asked)) pendingIds.add(id)
        // In a task of its own: after the caller has taken in this answer.
        setTimeout(notify)
        return answer
      } finally {
        writesInFlight.delete(changedIds)
      }
    },

    async trackBatch(asked, write) {
      batchesInFlight += 1
      try {
        const answer = await write()
        for (const request of asked) {
          recordPresence(request[0], request[1] !== null)
          if (isReflected(request)) pendingIds.delete(request[0])
        }
        return answer
      } finally {
        batchesInFlight -= 1
        setTimeout(notify)
      }
    },

    subscribe(newListener) {
      listener = newListener
      setTimeout(notify)
      return () => {
        if (listener === newListener) listener = undefined
      }
    },

    currentListener: () => listener,
  }
}
