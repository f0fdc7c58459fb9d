import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import { backOff } from '../../../backends/backoff.ts'
import type { DocumentStore, ServiceErrorCode } from '../../../backends/ports.ts'
import { listen, stopAll } from '../../../lib/dom.ts'
import { onClearedStorage } from '../../../lib/stored-state.ts'
import { bookChanged, booksForgotten, type FetchBooksArgs, fetchBooks } from './book-slice.ts'
import { type Store, useAppDispatch } from './store.ts'

/**
 * `offline`: the browser has no network, or the server can't be reached or can't answer. `signed-out`: the session has ended.
 * `forbidden`: the account may not read the records. Both have no records.
 */
export type ConnectionStatus = 'loading' | 'live' | 'offline' | 'signed-out' | 'forbidden'

/** All records, as far as the page has them. */
export interface RecordList {
  employees: readonly Employee[]
  /**
   * `loaded`: all have arrived. `offline`: they can't, for now. `closed`: signed out or forbidden, so no more arrive, and no
   * password is revealed or copied.
   */
  status: 'loading' | 'offline' | 'loaded' | 'closed'
  /** The number of all records, if it is known before they have been loaded. */
  total: number | undefined
}

/** Loads and synchronizes the records while enabled. `waitForPage` resolves when the page can show the first records. */
export function useConnectionStatus(
  documents: DocumentStore,
  waitForPage: () => Promise<unknown>,
  isEnabled: boolean,
) {
  const dispatch = useAppDispatch()
  const [status, setStatus] = useState<ConnectionStatus>('loading')
  const [total, setTotal] = useState<number>()
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  const visit = useVisits(status === 'signed-out')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the session may have ended, or begun in another tab
  useEffect(() => {
    if (!isEnabled) return
    return syncEmployees({
      dispatch,
      documents,
      pageReady: waitForPage(),
      onTotal: setTotal,
      onStatusChange: setStatus,
    })
  }, [dispatch, documents, waitForPage, isEnabled, visit])
  // The browser notices that it is offline long before the event stream times out.
  const connectionStatus: ConnectionStatus = status === 'live' && !isOnline ? 'offline' : status
  return { connectionStatus, total }
}

/** How often the user has returned to this tab or window while signed out, or the browser has cleared what it stores. */
function useVisits(isSignedOut: boolean): number {
  const [visits, setVisits] = useState(0)
  useEffect(() => {
    const count = () => setVisits((visits) => visits + 1)
    const stop = onClearedStorage(count)
    if (!isSignedOut) return stop
    const countVisible = () => document.hidden || count()
    return stopAll(
      stop,
      listen(document, 'visibilitychange', countVisible),
      listen(window, 'focus', countVisible),
    )
  }, [isSignedOut])
  return visits
}

const subscribe = (listener: () => void) => listen(window, 'online offline', listener)

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
  let isOutdated = false
  let isReloading = false

  function reportStatus(status: ConnectionStatus) {
    if (!signal.aborted) onStatusChange(status)
  }

  function stop() {
    controller.abort()
    unsubscribe()
  }

  /** Forgets the records, also those that are still being received. */
  function close(status: 'signed-out' | 'forbidden') {
    if (signal.aborted) return
    reportStatus(status)
    stop()
    dispatch(booksForgotten())
  }

  /** Returns false if retrying is pointless: the session has ended, or the account may not read the records. */
  async function loadWithRetry(args: FetchBooksArgs): Promise<boolean> {
    for (let failures = 0; !signal.aborted; failures++) {
      const action = await dispatch(fetchBooks({ ...args, signal }))
      if (fetchBooks.fulfilled.match(action)) return true
      const code = action.error.code as ServiceErrorCode | undefined
      if (code === 'not-signed-in' || code === 'not-allowed') {
        close(code === 'not-allowed' ? 'forbidden' : 'signed-out')
        return false
      }
      reportStatus('offline')
      await backOff(failures, signal)
    }
    return false
  }

  /** A call during a reload causes one more after it, because its list may be outdated. */
  async function reload() {
    isOutdated = true
    if (isReloading) return
    isReloading = true
    let isLoaded = true
    while (isOutdated && isLoaded) {
      isOutdated = false
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
      onStale: reload,
      onConnectionChange: (connected) => reportStatus(connected ? 'live' : 'offline'),
      onSessionEnded: () => close('signed-out'),
    })
  }

  void start()
  return stop
}
