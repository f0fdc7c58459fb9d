import { useEffect, useState, useSyncExternalStore } from 'react'
import type { DocumentStore } from '../../backends/ports.ts'
import { listen } from '../../lib/dom.ts'
import { useAppDispatch } from '../../store.ts'
import { type ConnectionStatus, syncEmployees } from './sync-employees.ts'

interface ConnectionStatusOptions {
  documents: DocumentStore
  /** Returns a promise that resolves when the page can show the first records. */
  waitForPage(): Promise<unknown>
  isEnabled: boolean
}

/** Loads and synchronizes the records while enabled. `total` is the number of all records, as soon as it is known. */
export function useConnectionStatus({ documents, waitForPage, isEnabled }: ConnectionStatusOptions): {
  connectionStatus: ConnectionStatus
  total: number | undefined
} {
  const dispatch = useAppDispatch()
  const [status, setStatus] = useState<ConnectionStatus>('loading')
  const [total, setTotal] = useState<number>()
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  const visit = useVisits(status === 'signed-out')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the user may have signed in in another tab
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
  return { connectionStatus: status === 'live' && !isOnline ? 'offline' : status, total }
}

/** How often the user has returned to this tab while enabled. */
function useVisits(isEnabled: boolean): number {
  const [visits, setVisits] = useState(0)
  useEffect(() => {
    if (!isEnabled) return
    return listen(document, 'visibilitychange', () => document.hidden || setVisits((visits) => visits + 1))
  }, [isEnabled])
  return visits
}

const subscribe = (listener: () => void) => listen(window, 'online offline', listener)
