import type { preHandlerAsyncHookHandler } from 'fastify'
import { countCharacters, type Employee, withoutEmpty } from '../../contract/employees.ts'
import type { ChangeEvent } from '../../contract/protocol.ts'
import type { Encoding } from '../http/negotiation.ts'
import type {
  EmployeeChange,
  EmployeeStorage,
  Removal,
  StorageHead,
  StoredEmployee,
} from '../storage/storage.ts'
import { inTurns } from '../yield-to-event-loop.ts'
import { ChunkedList } from './list-cache/chunked-list.ts'

/** A change in the form in which it is sent: its revision, and a contract `ChangeEvent` as JSON. */
export interface ChangeMessage {
  revision: number
  json: string
}

/** The body of `GET books` in one encoding. */
interface EncodedList {
  /** Identifies the encoding, the revision and the database. */
  etag: string
  count: number
  body: Buffer
}

/** Receives the changes of a commit, or undefined if there are too many: the list must be read again. */
type ChangeListener = (changes: ChangeMessage[] | undefined) => void

const maxRemovals = 5000
const removalsDeletedTogether = 500
/** A client on a slow connection would be disconnected during a larger catch-up, and request it again. */
const maxCatchUpCharacters = 256 * 1024
/** A commit with more changes or characters than this is not sent as single changes. */
const maxBroadcastChanges = 1000
const maxBroadcastCharacters = 1024 * 1024

/** Loads the list and follows the storage. A write is visible in the list before its response is sent. */
export async function createLiveList(employees: EmployeeStorage): Promise<LiveList> {
  const head = await employees.head()
  const liveList = new LiveList(head)
  for await (const page of employees.load()) liveList.append(page)
  for (const removal of (await employees.latestRemovals(maxRemovals)).reverse()) {
    liveList.addRemoval(removal)
  }
  await employees.subscribe((changes) => liveList.applyCommit(changes), head.revision)
  return liveList
}

type ListEncoding = Exclude<Encoding, 'br'>

/** All employees in memory: the list ready to be sent, and the changes since a revision. */
export class LiveList {
  readonly #listeners = new Set<ChangeListener>()
  readonly epoch: string
  #state: ListState
  /** Holds only the current revision. */
  readonly #encoded = new Map<ListEncoding, Promise<EncodedList>>()
  /** Settles when the list has been encoded, possibly at an earlier revision. */
  #encoding: Promise<void> | undefined

  constructor({ epoch, revision, floor }: StorageHead) {
    this.epoch = epoch
    this.#state = { list: new ChunkedList(), removals: new Map(), revision, floor }
  }

  get revision(): number {
    return this.#state.revision
  }

  /** Names the current revision of the list. */
  etag(encoding: ListEncoding): string {
    return `"${this.epoch}-${this.revision}${encoding === 'gzip' ? '-gzip' : ''}"`
  }

  /**
   * Encodes the list once per revision, in turns with other requests. Readers that arrive while it is being encoded share
   * the next encoding, so that they do not delay other requests.
   */
  read(encoding: ListEncoding): Promise<EncodedList> {
    const encoded = this.#encoded.get(encoding)
    if (encoded) return encoded
    if (this.#encoding) return this.#encoding.then(() => this.read(encoding))
    const encodedNow = this.#encode(encoding)
    this.#encoded.set(encoding, encodedNow)
    const end = () => {
      this.#encoding = undefined
    }
    this.#encoding = encodedNow.then(end, end)
    return encodedNow
  }

  /** Encodes the first employees: at least so many, if there are. `count` counts all. */
  readFirst(encoding: ListEncoding, count: number): Promise<EncodedList> {
    return this.#encode(encoding, this.#state.list.first(count))
  }

  async #encode(encoding: ListEncoding, list = this.#state.list): Promise<EncodedList> {
    const { revision, list: all } = this.#state
    const [etag, count] = [this.etag(encoding), all.count]
    const [head, tail] = [`{"revision":${revision},"documents":[\n`, '\n]}']
    const body = await (encoding === 'gzip' ? list.toGzip(head, tail) : list.toJson(head, tail))
    return { etag, count, body }
  }

  idBefore(seq: number): string | null {
    return this.#state.list.idBefore(seq)
  }

  subscribe(listener: ChangeListener): void {
    this.#listeners.add(listener)
  }

  /**
   * Returns the changes since a revision, each as the JSON of a `ChangeEvent`: removals first, then saves in order of
   * creation, so that clients always know the document that an insert refers to. Returns undefined if they are no longer
   * available or too large.
   */
  changesSince(since: number): string[] | undefined {
    if (since > this.#state.revision || since < this.#state.floor) return
    const events: string[] = []
    let totalCharacters = 0
    for (const json of this.#eventsSince(since)) {
      totalCharacters += json.length
      if (totalCharacters > maxCatchUpCharacters) return
      events.push(json)
    }
    return events
  }

  *#eventsSince(since: number): Generator<string> {
    for (const removal of this.#state.removals.values()) {
      if (removal.revision > since) yield toRemovedEvent(removal)
    }
    for (const { seq, revision, line } of this.#state.list.entriesNewerThan(since)) {
      yield this.#toSavedEvent(seq, revision, line)
    }
  }

  /** Appends employees, which must be in order of creation. For loading only. */
  append(employees: StoredEmployee[]): void {
    const toEntry = (employee: StoredEmployee) => {
      const { seq, revision } = employee
      return { seq, revision, line: toJsonLine(employee) }
    }
    this.#state.list.append(employees.map(toEntry))
    this.#encoded.clear()
  }

  addRemoval(removal: Removal): void {
    addRemoval(this.#state, removal)
  }

  /**
   * Applies the changes of a commit and notifies the listeners. If there are many, returns a promise: other requests run in
   * between, and read the list as it was before. Wait for it before applying the next commit.
   */
  applyCommit(changes: Iterable<EmployeeChange>): void | Promise<void> {
    const few = takeFew(changes)
    if (!few) return this.#applyMany(changes)
    const messages = few.map((change) => this.#toMessage(change, apply(this.#state, change)))
    this.#encoded.clear()
    for (const listener of this.#listeners) listener(messages)
    return
  }

  async #applyMany(changes: Iterable<EmployeeChange>): Promise<void> {
    const { list, removals, ...rest } = this.#state
    const next = { ...rest, list: list.copy(), removals: new Map(removals) }
    await inTurns(changes, (change) => apply(next, change))
    this.#state = next
    this.#encoded.clear()
    for (const listener of this.#listeners) listener(undefined)
  }

  /** Call immediately after applying the change: the message contains the id of the preceding document. */
  #toMessage(change: EmployeeChange, line: string | undefined): ChangeMessage {
    const { seq, revision } = change
    const json = line === undefined ? toRemovedEvent(change) : this.#toSavedEvent(seq, revision, line)
    return { revision, json }
  }

  #toSavedEvent(seq: number, revision: number, line: string): string {
    const after = JSON.stringify(this.idBefore(seq))
    return `{"type":"saved","revision":${revision},"document":${line},"after":${after}}`
  }
}

interface ListState {
  readonly list: ChunkedList
  readonly removals: Map<string, Removal>
  revision: number
  /** Changes before this revision are no longer available. */
  floor: number
}

function apply(state: ListState, change: EmployeeChange): string | undefined {
  state.revision = change.revision
  if (change.type === 'removed') {
    state.list.remove(change.seq, change.revision)
    addRemoval(state, change)
    return undefined
  }
  state.removals.delete(change.id)
  const line = toJsonLine(change)
  state.list.save(change.seq, change.revision, line)
  return line
}

/** Stores a removal. At the limit, deletes the oldest ones and raises the floor. */
function addRemoval(state: ListState, { id, seq, revision }: Removal): void {
  const { removals } = state
  removals.set(id, { id, seq, revision })
  // Several at once: finding the first entry of a map takes longer the more have been deleted before it.
  if (removals.size < maxRemovals) return
  for (const oldest of removals.values()) {
    if (removals.size <= maxRemovals - removalsDeletedTogether) return
    removals.delete(oldest.id)
    state.floor = Math.max(state.floor, oldest.revision)
  }
}

/** Returns all changes, or undefined if there are too many to send them as single changes. */
function takeFew(changes: Iterable<EmployeeChange>): EmployeeChange[] | undefined {
  const taken: EmployeeChange[] = []
  let characters = 0
  for (const change of changes) {
    if (change.type === 'saved') characters += countCharacters(change)
    taken.push(change)
    if (taken.length > maxBroadcastChanges || characters > maxBroadcastCharacters) return
  }
  return taken
}

function toJsonLine(employee: Employee): string {
  return JSON.stringify({ id: employee.id, ...withoutEmpty(employee) } satisfies Employee)
}

function toRemovedEvent({ id, revision }: Removal): string {
  return JSON.stringify({ type: 'removed', revision, id } satisfies ChangeEvent)
}

/** A hook that waits for what other servers have written, if there may be any. */
export function createCatchUp({ catchUp }: Pick<EmployeeStorage, 'catchUp'>): preHandlerAsyncHookHandler[] {
  return catchUp ? [async ({ session }) => catchUp(session.revision as number)] : []
}
