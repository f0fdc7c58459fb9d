import { type BatchResult, describeRestored } from '../../../contract/batches.ts'
import {
  type Employee,
  type EmployeeFields,
  hasSameFields,
  mapFields,
  withoutEmpty,
} from '../../../contract/employees.ts'
import type { Change } from '../../../contract/protocol.ts'
import type { ChangeListener } from '../ports.ts'

/** Above this number of changes, `onStale` is called instead of `onChanges`. */
const maxChangesToNotify = 1_000

/** The requested state of a record: its fields, or null if it is to be removed. */
export type RequestedWrite = [id: string, fields: EmployeeFields | null]

export interface ExecutedBatch extends Omit<BatchResult, 'restored'> {
  /**
   * The records of `restore` that exist now, by id, with their fields if they are others than those of the batch; undefined if there
   * is no such list.
   */
  restored?: Map<string, EmployeeFields | undefined> | undefined
  /** The state that the batch has left each record in, except for those of which it has skipped every change. */
  written: RequestedWrite[]
}

/** Reads the known fields of a document only: one that was created in Firebase's console may have others. */
export function toEmployee(id: string, data: Record<string, unknown>): Employee {
  return { id, ...withoutEmpty(mapFields((name) => String(data[name] ?? ''))) }
}

/** A sorted set of ids; their order is the order of the list. */
export class OrderedIds {
  #ids: string[] = []

  reset(sorted: string[]): void {
    this.#ids = sorted
  }

  add(id: string): void {
    const index = this.#lowerBound(id)
    if (this.#ids[index] !== id) this.#ids.splice(index, 0, id)
  }

  remove(id: string): void {
    const index = this.#lowerBound(id)
    if (this.#ids[index] === id) this.#ids.splice(index, 1)
  }

  /** The greatest id that is smaller than this one, or null. This id itself need not be in the set. */
  previousId(id: string): string | null {
    return this.#ids[this.#lowerBound(id) - 1] ?? null
  }

  /** The number of smaller ids. Ids are ASCII, so JavaScript's order equals Firestore's, which compares bytes. */
  #lowerBound(id: string): number {
    let low = 0
    let high = this.#ids.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#ids[middle] ?? '') < id) low = middle + 1
      else high = middle
    }
    return low
  }
}

/**
 * Tracks two views of the collection: the state in Firestore's snapshots, and the state known to the page (from the list,
 * from notifications and from the results of its own writes). Notifies the page of the differences.
 */
export class PageView {
  readonly #snapshot = new Map<string, Employee>()
  /** The ids known to the page. */
  readonly #ids = new OrderedIds()
  /** The ids whose changes the page has not been notified of. */
  readonly #pendingIds = new Set<string>()
  /** Holds for each write in flight the ids that snapshots have changed since it was started. */
  readonly #writesInFlight = new Set<Set<string>>()
  #batchesInFlight = 0
  /** Writes whose result the page shows, but no snapshot since they began, by id. */
  readonly #unconfirmedWrites = new Map<string, RequestedWrite>()
  listener: ChangeListener | undefined

  /** Sets both views to a list that the page is about to receive. */
  reset(employees: Employee[]): void {
    this.#snapshot.clear()
    for (const employee of employees) this.#updateSnapshot(employee.id, employee)
    this.#ids.reset(employees.map(({ id }) => id))
    this.#pendingIds.clear()
    this.#unconfirmedWrites.clear()
  }

  /** The writes that have succeeded and that no snapshot has shown yet. */
  unconfirmedWrites(): RequestedWrite[] {
    return [...this.#unconfirmedWrites.values()]
  }

  /**
   * Call it when snapshots have shown every change since these writes. If they have still not shown a write, Firestore has
   * combined it with another client's change that undoes it, and the page is notified of the snapshot's state.
   */
  confirmWrites(writes: RequestedWrite[]): void {
    for (const write of writes) {
      const [id] = write
      if (this.#unconfirmedWrites.get(id) !== write) continue
      this.#unconfirmedWrites.delete(id)
      this.#pendingIds.add(id)
    }
    this.#notify()
  }

  /** Applies the changes of a snapshot; a null document was removed. */
  applySnapshotChanges(changes: { id: string; document: Employee | null }[]): void {
    for (const { id, document } of changes) {
      this.#updateSnapshot(id, document)
      this.#pendingIds.add(id)
    }
    this.#notify()
  }

  /** The record as the snapshots and own writes have shown it. */
  get(id: string): Employee | undefined {
    const write = this.#unconfirmedWrites.get(id)
    if (!write) return this.#snapshot.get(id)
    return write[1] ? { id, ...write[1] } : undefined
  }

  /** The ids of all such records, in order. */
  listIds(): string[] {
    const ids = new Set([...this.#snapshot.keys(), ...this.#unconfirmedWrites.keys()])
    return [...ids].filter((id) => this.get(id)).sort()
  }

  /** Returns the id of the record before it, as the page knows the list. */
  previousId(id: string): string | null {
    return this.#ids.previousId(id)
  }

  /**
   * Runs a write. If snapshots have meanwhile shown a newer state of the record, the page is notified of it again after
   * the write has resolved.
   */
  async trackWrite<T>(requested: RequestedWrite, write: () => Promise<T>): Promise<T> {
    const [id] = requested
    const changedIds = new Set<string>()
    this.#writesInFlight.add(changedIds)
    try {
      const result = await write()
      if (changedIds.has(id) && !this.#isReflected(requested)) this.#pendingIds.add(id)
      this.#recordWrites([requested])
      // In a new task, so that the caller has processed the result first.
      setTimeout(() => this.#notify())
      return result
    } finally {
      this.#writesInFlight.delete(changedIds)
    }
  }

  /** Runs a batch. Notifications wait until it has settled, and exclude what the batch itself has written. */
  async trackBatch(write: () => Promise<ExecutedBatch>): Promise<BatchResult> {
    this.#batchesInFlight += 1
    try {
      const { written, restored, ...result } = await write()
      for (const request of written) if (this.#isReflected(request)) this.#pendingIds.delete(request[0])
      this.#recordWrites(written)
      if (!restored) return result
      const place = (id: string) => describeRestored(id, this.previousId(id), restored.get(id))
      return { ...result, restored: [...restored.keys()].sort().map(place) }
    } finally {
      this.#batchesInFlight -= 1
      setTimeout(() => this.#notify())
    }
  }

  /** Replaces the listener. The new one is also notified of pending changes. */
  subscribe(listener: ChangeListener): void {
    this.listener = listener
    setTimeout(() => this.#notify())
  }

  #notify() {
    if (!this.listener || this.#batchesInFlight > 0 || this.#pendingIds.size === 0) return
    const changes = Array.from(this.#pendingIds, (id) => this.#toChange(id))
    this.#pendingIds.clear()
    if (changes.length > maxChangesToNotify) this.listener.onStale()
    else this.listener.onChanges(changes)
  }

  /** Records the effect of writes that have succeeded. Those that snapshots have not shown or contradicted are unconfirmed. */
  #recordWrites(writes: RequestedWrite[]) {
    for (const write of writes) {
      const [id, fields] = write
      this.#recordPresence(id, fields !== null)
      if (this.#isReflected(write) || this.#pendingIds.has(id)) this.#unconfirmedWrites.delete(id)
      else this.#unconfirmedWrites.set(id, write)
    }
  }

  #toChange(id: string): Change {
    const document = this.#snapshot.get(id)
    this.#recordPresence(id, document !== undefined)
    return document ? { type: 'saved', document, after: this.previousId(id) } : { type: 'removed', id }
  }

  #recordPresence(id: string, isPresent: boolean) {
    if (isPresent) this.#ids.add(id)
    else this.#ids.remove(id)
  }

  #updateSnapshot(id: string, document: Employee | null) {
    if (document) this.#snapshot.set(id, document)
    else this.#snapshot.delete(id)
    this.#unconfirmedWrites.delete(id)
    for (const changedIds of this.#writesInFlight) changedIds.add(id)
  }

  #isReflected([id, fields]: RequestedWrite): boolean {
    const document = this.#snapshot.get(id)
    return fields && document ? hasSameFields(document, fields) : !fields && !document
  }
}
