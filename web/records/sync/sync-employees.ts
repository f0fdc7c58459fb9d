import { backOff } from '../../backends/backoff.ts'
import type { DocumentStore, ServiceErrorCode } from '../../backends/ports.ts'
import type { Store } from '../../store.ts'
import { bookChanged, fetchBooks } from './book-slice.ts'

/** How the page stands to the service; `closed`: whoever is signed in may not open the register. */
export type Line = 'reading' | 'live' | 'lost' | 'ended' | 'closed'

interface FollowParts {
  store: Pick<Store, 'dispatch'>
  documents: Pick<DocumentStore, 'watch'>
  /** Resolves when there is a page to show the first records on. */
  shown?: Promise<unknown>
  /** Told at each change; `live` also after each new reading of the register. */
  onLine(line: Line): void
}

/** Reads all records, then keeps them as they are on the service, until the returned function is called. */
export function followRegister({ store, documents, shown, onLine }: FollowParts): () => void {
  const stopping = new AbortController()
  const { signal } = stopping
  let stopWatching = () => {}

  function tell(line: Line) {
    if (!signal.aborted) onLine(line)
  }

  /** Reads until it has worked; false where it can't any more. */
  async function read(): Promise<boolean> {
    for (let failures = 0; !signal.aborted; failures++) {
      const answer = await store.dispatch(fetchBooks(shown))
      if (fetchBooks.fulfilled.match(answer)) return true
      const code = answer.error.code as ServiceErrorCode | undefined
      if (code === 'not-signed-in' || code === 'not-allowed') {
        tell(code === 'not-allowed' ? 'closed' : 'ended')
        return false
      }
      tell('lost')
      await backOff(failures, signal)
    }
    return false
  }

  let isStale = false
  let isReadingAgain = false

  /** One reading at a time, and another one after it where it was overtaken: the last answer is then the newest list. */
  async function readAgain() {
    isStale = true
    if (isReadingAgain) return
    isReadingAgain = true
    let isRead = true
    while (isStale && isRead) {
      isStale = false
      isRead = await read()
    }
    isReadingAgain = false
    if (isRead) tell('live')
  }

  async function follow() {
    if (!(await read()) || signal.aborted) return
    tell('live')
    stopWatching = documents.watch({
      changed: (changes) => void store.dispatch(bookChanged(changes)),
      stale: () => void readAgain(),
      connected: (connected) => tell(connected ? 'live' : 'lost'),
      ended: () => tell('ended'),
    })
  }

  tell('reading')
  void follow()
  return () => {
    stopping.abort()
    stopWatching()
  }
}
