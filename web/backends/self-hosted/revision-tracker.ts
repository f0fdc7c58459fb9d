import type { Change, ChangeEvent } from '../../../contract/protocol.ts'

/**
 * Orders responses and change events by revision. They arrive on separate connections, so either may overtake the other,
 * and an older one must not overwrite a newer one.
 */
export class RevisionTracker {
  #latestRevision = 0
  /** The newest revision of this client's own writes, by record id. */
  readonly #ownRevisions = new Map<string, number>()
  /** The changes that became known during each call in flight. */
  readonly #callsInFlight = new Set<ChangeEvent[]>()

  /** The newest revision received in a list or an event. */
  get latestRevision(): number {
    return this.#latestRevision
  }

  /** Runs a call. `changesDuringCall` collects the changes that become known until the caller has processed the result. */
  async collectChangesDuring<T>(call: (changesDuringCall: ChangeEvent[]) => Promise<T>): Promise<T> {
    const changesDuringCall: ChangeEvent[] = []
    this.#callsInFlight.add(changesDuringCall)
    try {
      return await call(changesDuringCall)
    } finally {
      setTimeout(() => this.#callsInFlight.delete(changesDuringCall))
    }
  }

  recordList(revision: number): void {
    this.#latestRevision = revision
  }

  recordWrite(ids: Set<string>, revision: number): void {
    for (const id of ids) this.#ownRevisions.set(id, Math.max(revision, this.#ownRevisions.get(id) ?? 0))
  }

  /** Makes an own change known to the calls in flight, before its event arrives. */
  recordOwnChange(change: ChangeEvent): void {
    for (const changesDuringCall of this.#callsInFlight) changesDuringCall.push(change)
  }

  /** Returns whether the event is current. */
  recordEvent(change: ChangeEvent): boolean {
    this.#latestRevision = Math.max(this.#latestRevision, change.revision)
    this.recordOwnChange(change)
    return this.isCurrent(change)
  }

  /** False if a response to our own write has already superseded the change. */
  isCurrent(change: ChangeEvent): boolean {
    return change.revision >= (this.#ownRevisions.get(changedId(change)) ?? 0)
  }

  /** The server may count from a lower revision after a backup was restored. */
  forgetOwnWrites(): void {
    this.#ownRevisions.clear()
  }
}

export function changedId(change: Change): string {
  return change.type === 'saved' ? change.document.id : change.id
}
