import { backOff } from '../../backends/backoff.ts'
import type { DocumentStore, ServiceErrorCode } from '../../backends/ports.ts'
import type { Store } from '../../store.ts'
import { bookChanged, fetchBooks } from './book-slice.ts'

/** How the page stands to the service; `closed`: whoever is signed in may not open the register. */
export type ConnectionStatus = 'loading' | 'live' | 'offline' | 'signed-out' | 'forbidden'

interface SyncOptions {
  dispatch: Store['dispatch']
  documents: Pick<DocumentStore, 'subscribe'>
  /** Resolves when there is a page to show the first records on. */
  pageReady?: Promise<unknown>
  /** Told at each change; `live` also after each new reading of the register. */
  onStatusChange(status: ConnectionStatus): void
}

/** Reads all records, then keeps them as they are on the service, until the returned function is called. */
export function syncEmployees({ dispatch, documents, pageReady, onStatusChange }: SyncOptions): () => void {
  const controller = new AbortController()
  const { signal } = controller
  let stopWatching = () => {}

  function reportStatus(status: ConnectionStatus) {
    if (!signal.aborted) onStatusChange(status)
  }

  /** Reads until it has worked; false where it can't any more. */
  async function loadWithRetry(): Promise<boolean> {
    for (let failures = 0; !signal.aborted; failures++) {
      const answer = await dispatch(fetchBooks(pageReady))
      if (fetchBooks.fulfilled.match(answer)) return true
      const code = answer.error.code as ServiceErrorCode | undefined
      if (code === 'not-signed-in' || code === 'not-allowed') {
        reportStatus(code === 'not-allowed' ? 'forbidden' : 'signed-out')
        return false
      }
      reportStatus('offline')
      await backOff(failures, signal)
    }
    return false
  }

  let isStale = false
  let isReloading = false

  /** One reading at a time, and another one after it where it was overtaken: the last answer is then the newest list. */
  async function reload() {
    isStale = true
    if (isReloading) return
    isReloading = true
    let isLoaded = true
    while (isStale && isLoaded) {
      isStale = false
      isLoaded = await loadWithRetry()
    }
    isReloading = false
    if (isLoaded) reportStatus('live')
  }

  async function start() {
    if (!(await loadWithRetry()) || signal.aborted) return
    reportStatus('live')
    stopWatching = documents.subscribe({
      onChanges: (changes) => void dispatch(bookChanged(changes)),
      onStale: () => void reload(),
      onConnectionChange: (connected) => reportStatus(connected ? 'live' : 'offline'),
      onSessionEnded: () => reportStatus('signed-out'),
    })
  }

  reportStatus('loading')
  void start()
  return () => {
    controller.abort()
    stopWatching()
  }
}
