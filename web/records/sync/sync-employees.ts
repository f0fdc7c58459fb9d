import { backOff } from '../../backends/backoff.ts'
import type { DocumentStore, ServiceErrorCode } from '../../backends/ports.ts'
import type { Store } from '../../store.ts'
import { bookChanged, type FetchBooksArgs, fetchBooks } from './book-slice.ts'

/** `forbidden`: the signed-in account may not read the records. */
export type ConnectionStatus = 'loading' | 'live' | 'offline' | 'signed-out' | 'forbidden'

interface SyncOptions extends FetchBooksArgs {
  dispatch: Store['dispatch']
  documents: Pick<DocumentStore, 'subscribe'>
  /** Called when the status changes, and with `live` also after each reload of the records. */
  onStatusChange(status: ConnectionStatus): void
}

/** Loads all records, then applies the service's changes to them until the returned function is called. */
export function syncEmployees({ dispatch, documents, pageReady, onTotal, onStatusChange }: SyncOptions) {
  const controller = new AbortController()
  const { signal } = controller
  let unsubscribe = () => {}

  function reportStatus(status: ConnectionStatus) {
    if (!signal.aborted) onStatusChange(status)
  }

  /** Returns false if retrying is pointless: the session has ended, or the account may not read the records. */
  async function loadWithRetry(args: FetchBooksArgs): Promise<boolean> {
    for (let failures = 0; !signal.aborted; failures++) {
      const action = await dispatch(fetchBooks({ ...args, signal }))
      if (fetchBooks.fulfilled.match(action)) return true
      const code = action.error.code as ServiceErrorCode | undefined
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

  /** Loads all records again. Calls during a reload cause one more reload after it, because its list may be outdated. */
  async function reload() {
    isStale = true
    if (isReloading) return
    isReloading = true
    let isLoaded = true
    while (isStale && isLoaded) {
      isStale = false
      isLoaded = await loadWithRetry({ isReload: true })
    }
    isReloading = false
    if (isLoaded) reportStatus('live')
  }

  async function start() {
    if (!(await loadWithRetry({ pageReady, onTotal })) || signal.aborted) return
    reportStatus('live')
    unsubscribe = documents.subscribe({
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
    unsubscribe()
  }
}
