import type { Employee } from '../../contract/employees.ts'
import type { ChangeEvent } from '../../contract/protocol.ts'
import type { BookChange, BookStorage, Removal, StoredBook } from '../storage/storage.ts'
import { ChunkedList } from './list-cache/chunked-list.ts'

/** A change as it is sent: the revision to resume from, and the JSON of a contract `ChangeEvent`. */
export interface ToldChange {
  revision: number
  json: string
}

/** Hears what a commit has changed; nothing where that is too much to be told one by one: list again. */
type Listener = (changes: ToldChange[] | undefined) => void

export type Register = Awaited<ReturnType<typeof loadRegister>>

const rememberedRemovals = 5000
/** Characters. A reader over a slow line would be cut off for being behind amid more, and ask for the same again. */
const longestCatchUp = 256 * 1024
/** More changes than this in one commit are not told one by one. */
const longestBurst = 1000

/**
 * The register as this process knows it: the list ready to send, and what changed since a revision. It follows the
 * storage, so that whoever was answered a write finds it here.
 */
export async function loadRegister(books: BookStorage) {
  const list = new ChunkedList()
  const removals = new Map<string, Removal>()
  const listeners = new Set<Listener>()
  const { epoch, ...head } = await books.head()
  let { revision, floor } = head

  for await (const page of books.load()) {
    list.append(page.map((book) => ({ seq: book.seq, revision: book.revision, line: lineOf(book) })))
  }
  for (const removal of (await books.latestRemovals(rememberedRemovals)).reverse()) remember(removal)
  let forms = formsOfTheList()
  await books.follow((changes) => {
    const canBeTold = changes.length <= longestBurst
    const told = changes.flatMap((change) => {
      apply(change)
      return canBeTold ? tell(change) : []
    })
    forms = formsOfTheList()
    for (const listener of listeners) listener(canBeTold ? told : undefined)
  }, head.revision)

  function apply(change: BookChange) {
    revision = change.revision
    if (change.type === 'saved') {
      removals.delete(change.id)
      list.save(change.seq, revision, lineOf(change))
    } else {
      list.remove(change.seq, revision)
      remember(change)
    }
  }

  /** Right after it was applied: which record it stands behind is part of it. */
  function tell(change: BookChange): ToldChange {
    const { type, seq, revision } = change
    const json = type === 'saved' ? savedJson(seq, revision, lineOf(change)) : removedJson(change)
    return { revision, json }
  }

  /** Only so many removals are kept; whoever missed more than those reads the list again. */
  function remember({ id, seq, revision }: Removal) {
    removals.set(id, { id, seq, revision })
    if (removals.size < rememberedRemovals) return
    const [oldest] = removals.values()
    if (!oldest) return
    removals.delete(oldest.id)
    floor = Math.max(floor, oldest.revision)
  }

  function savedJson(seq: number, revision: number, line: string) {
    const after = JSON.stringify(list.idBefore(seq))
    return `{"type":"saved","revision":${revision},"document":${line},"after":${after}}`
  }

  /** Removals first, then saves in order of creation. */
  function* missedSince(since: number): Generator<string> {
    for (const removal of removals.values()) {
      if (removal.revision > since) yield removedJson(removal)
    }
    for (const { seq, revision, line } of list.newerThan(since)) yield savedJson(seq, revision, line)
  }

  /** The body of `GET books` in each form: one document a line, made when it is first asked for. */
  function formsOfTheList() {
    const [head, tail] = [`{"revision":${revision},"documents":[\n`, '\n]}']
    return {
      json: createForm('', () => list.toJson(head, tail)),
      gzip: createForm('-gzip', () => list.toGzip(head, tail)),
    }
  }

  function createForm(suffix: string, make: () => Buffer) {
    let body: Buffer | undefined
    return {
      /** The ETag: names this form of this state of the register, and no other of this or another register. */
      tag: `"${epoch}-${revision}${suffix}"`,
      body: () => (body ??= make()),
    }
  }
  return {
    get revision() {
      return revision
    },
    /** The list as it is sent, plain and compressed. */
    get list() {
      return forms
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
      const told: string[] = []
      let length = 0
      for (const json of missedSince(since)) {
        length += json.length
        if (length > longestCatchUp) return
        told.push(json)
      }
      return told
    },
    /** The listener hears of every commit from now on. */
    follow(listener: Listener) {
      listeners.add(listener)
    },
  }
}

function lineOf({ id, eName, email, password }: StoredBook) {
  return JSON.stringify({ id, eName, email, password } satisfies Employee)
}

function removedJson({ id, revision }: Removal) {
  return JSON.stringify({ type: 'removed', revision, id } satisfies ChangeEvent)
}
