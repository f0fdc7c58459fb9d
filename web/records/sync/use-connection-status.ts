import { useEffect, useState, useSyncExternalStore } from 'react'
import type { DocumentStore } from '../../backends/ports.ts'
import { useAppDispatch } from '../../store-hooks.ts'
import { type ConnectionStatus, syncEmployees } from './sync-employees.ts'

interface ConnectionStatusOptions {
  documents: DocumentStore
  /** Returns a promise that resolves when the page can show the first records. */
  waitForPage(): Promise<unknown>
  isEnabled: boolean
}

/** Loads and synchronizes the records while enabled, and returns the connection status. */
export function useConnectionStatus({
  documents,
  waitForPage,
  isEnabled,
}: ConnectionStatusOptions): ConnectionStatus {
  const dispatch = useAppDispatch()
  const [status, setStatus] = useState<ConnectionStatus>('loading')
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  useEffect(() => {
    if (!isEnabled) return
    return syncEmployees({ dispatch, documents, pageReady: waitForPage(), onStatusChange: setStatus })
  }, [dispatch, documents, waitForPage, isEnabled])
  // The browser notices that it is offline long before the event stream times out.
  return status === 'live' && !isOnline ? 'offline' : status
}

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
