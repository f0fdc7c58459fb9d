import { type Employee, type EmployeeFields, sameFields } from '../../../contract/employees.ts'
import type { Change } from '../../../contract/protocol.ts'
import type { Observer } from '../ports.ts'
import { createOrderedIds } from './ordered-ids.ts'

/** More changes than this are not told one by one: the list is read again. */
const mostToTell = 1_000

/** What is asked to become of a record: its fields, or null where it is to go. */
export type Asked = [id: string, fields: EmployeeFields | null]

/**
 * Two pictures of the register: what Firestore has shown, and what the page knows, by the list, by what it was told or
 * by the answers to its own writes. It tells the page the difference.
 */
export interface View {
  /** The page knows exactly this list. */
  reset(book: Employee[]): void
  /** Firestore shows these records, or shows that they are gone. */
  show(changes: { id: string; document: Employee | null }[]): void
  /** That the page knows of a record, or that it is gone. Answers the id that stands before it. */
  known(id: string, isThere: boolean): string | null
  /** Runs a write, and sees to it that an answer that comes late is not the last word on its record. */
  around<T>(asked: Asked, write: () => Promise<T>): Promise<T>
  /** The same for many records; what is shown meanwhile is told afterwards, less what was asked for. */
  holding<T>(asked: Asked[], write: () => Promise<T>): Promise<T>
  /** From now on tells this observer, beginning with what was not told yet. */
  observe(observer: Observer): () => void
  /** Whom to tell; nobody where nobody is watching. */
  observer(): Observer | undefined
}

export function createView(): View {
  const shown = new Map<string, Employee>()
  const ids = createOrderedIds()
  const untold = new Set<string>()
  /** What is shown while a write is on its way, one set of ids for each such write. */
  const underway = new Set<Set<string>>()
  let holds = 0
  let observer: Observer | undefined

  function tell() {
    if (!observer || holds > 0 || untold.size === 0) return
    const changes = Array.from(untold, changeOf)
    untold.clear()
    if (changes.length > mostToTell) observer.stale()
    else observer.changed(changes)
  }

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

  function see(id: string, document: Employee | null) {
    if (document) shown.set(id, document)
    else shown.delete(id)
    for (const meanwhile of underway) meanwhile.add(id)
  }

  function isShown([id, fields]: Asked): boolean {
    const document = shown.get(id)
    return fields && document ? sameFields(document, fields) : !fields && !document
  }

  return {
    reset(book) {
      shown.clear()
      for (const employee of book) see(employee.id, employee)
      ids.reset(book.map(({ id }) => id))
      untold.clear()
    },

    show(changes) {
      for (const { id, document } of changes) {
        see(id, document)
        untold.add(id)
      }
      tell()
    },

    known,

    async around(asked, write) {
      const [id] = asked
      const meanwhile = new Set<string>()
      underway.add(meanwhile)
      try {
        const answer = await write()
        if (meanwhile.has(id) && !isShown(asked)) untold.add(id)
        // In a task of its own: after the caller has taken in this answer.
        setTimeout(tell)
        return answer
      } finally {
        underway.delete(meanwhile)
      }
    },

    async holding(asked, write) {
      holds += 1
      try {
        const answer = await write()
        for (const one of asked) {
          known(one[0], one[1] !== null)
          if (isShown(one)) untold.delete(one[0])
        }
        return answer
      } finally {
        holds -= 1
        setTimeout(tell)
      }
    },

    observe(newcomer) {
      observer = newcomer
      setTimeout(tell)
      return () => {
        if (observer === newcomer) observer = undefined
      }
    },

    observer: () => observer,
  }
}
