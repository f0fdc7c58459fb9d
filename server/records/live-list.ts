import type { Employee } from '../../contract/employees.ts'
import type { ChangeEvent } from '../../contract/protocol.ts'
import type { EmployeeChange, EmployeeStorage, Removal, StoredEmployee } from '../storage/storage.ts'
import { ChunkedList } from './list-cache/chunked-list.ts'

/** A change as it is sent: the revision to resume from, and the JSON of a contract `ChangeEvent`. */
export interface ChangeMessage {
  revision: number
  json: string
}

/** Hears what a commit has changed; nothing where that is too much to be told one by one: list again. */
type ChangeListener = (changes: ChangeMessage[] | undefined) => void

export type LiveList = Awaited<ReturnType<typeof createLiveList>>

const maxRemovals = 5000
/** Characters. A reader over a slow line would be cut off for being behind amid more, and ask for the same again. */
const maxCatchUpCharacters = 256 * 1024
/** More changes than this in one commit are not told one by one. */
const maxBroadcastChanges = 1000

/**
 * The register as this process knows it: the list ready to send, and what changed since a revision. It follows the
 * storage, so that whoever was answered a write finds it here.
 */
export async function createLiveList(employees: EmployeeStorage) {
  const list = new ChunkedList()
  const removals = new Map<string, Removal>()
  const listeners = new Set<ChangeListener>()
  const { epoch, ...head } = await employees.head()
  let { revision, floor } = head

  for await (const page of employees.load()) {
    list.append(page.map((book) => ({ seq: book.seq, revision: book.revision, line: toJsonLine(book) })))
  }
  for (const removal of (await employees.latestRemovals(maxRemovals)).reverse()) rememberRemoval(removal)
  let responses = createResponses()
  await employees.subscribe((changes) => {
    const canBroadcast = changes.length <= maxBroadcastChanges
    const messages = changes.flatMap((change) => {
      applyChange(change)
      return canBroadcast ? toChangeMessage(change) : []
    })
    responses = createResponses()
    for (const listener of listeners) listener(canBroadcast ? messages : undefined)
  }, head.revision)

  function applyChange(change: EmployeeChange) {
    revision = change.revision
    if (change.type === 'saved') {
      removals.delete(change.id)
      list.save(change.seq, revision, toJsonLine(change))
    } else {
      list.remove(change.seq, revision)
      rememberRemoval(change)
    }
  }

  /** Right after it was applied: which record it stands behind is part of it. */
  function toChangeMessage(change: EmployeeChange): ChangeMessage {
    const { type, seq, revision } = change
    const json =
      type === 'saved' ? savedEventJson(seq, revision, toJsonLine(change)) : removedEventJson(change)
    return { revision, json }
  }

  /** Only so many removals are kept; whoever missed more than those reads the list again. */
  function rememberRemoval({ id, seq, revision }: Removal) {
    removals.set(id, { id, seq, revision })
    if (removals.size < maxRemovals) return
    const [oldest] = removals.values()
    if (!oldest) return
    removals.delete(oldest.id)
    floor = Math.max(floor, oldest.revision)
  }

  function savedEventJson(seq: number, revision: number, line: string) {
    const after = JSON.stringify(list.idBefore(seq))
    return `{"type":"saved","revision":${revision},"document":${line},"after":${after}}`
  }

  /** Removals first, then saves in order of creation. */
  function* missedEventsSince(since: number): Generator<string> {
    for (const removal of removals.values()) {
      if (removal.revision > since) yield removedEventJson(removal)
    }
    for (const { seq, revision, line } of list.entriesNewerThan(since))
      yield savedEventJson(seq, revision, line)
  }

  /** The body of `GET books` in each form: one document a line, made when it is first asked for. */
  function createResponses() {
    const [head, tail] = [`{"revision":${revision},"documents":[\n`, '\n]}']
    return {
      json: createResponse('', () => list.toJson(head, tail)),
      gzip: createResponse('-gzip', () => list.toGzip(head, tail)),
    }
  }

  function createResponse(suffix: string, encode: () => Buffer) {
    let body: Buffer | undefined
    return {
      /** The ETag: names this form of this state of the register, and no other of this or another register. */
      etag: `"${epoch}-${revision}${suffix}"`,
      body: () => (body ??= encode()),
    }
  }
  return {
    get revision() {
      return revision
    },
    /** The list as it is sent, plain and compressed. */
    get responses() {
      return responses
    },
    /** The id of the document before a place; null at the head. */
    idBefore: (seq: number) => list.idBefore(seq),
    /**
     * What changed since a revision, each as the JSON of a `ChangeEvent`: removals first, then saves in order of creation,
     * so that the document a save stands behind is always known to the listener. Nothing where it cannot be told: list
     * again.
     */
    changesSince(since: number): string[] | undefined {
      if (since > revision || since < floor) return
      const events: string[] = []
      let totalCharacters = 0
      for (const json of missedEventsSince(since)) {
        totalCharacters += json.length
        if (totalCharacters > maxCatchUpCharacters) return
        events.push(json)
      }
      return events
    },
    /** The listener hears of every commit from now on. */
    subscribe(listener: ChangeListener) {
      listeners.add(listener)
    },
  }
}

function toJsonLine({ id, eName, email, password }: StoredEmployee) {
  return JSON.stringify({ id, eName, email, password } satisfies Employee)
}

function removedEventJson({ id, revision }: Removal) {
  return JSON.stringify({ type: 'removed', revision, id } satisfies ChangeEvent)
}
