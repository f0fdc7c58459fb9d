import { useEffect, useState, useSyncExternalStore } from 'react'
import type { DocumentStore } from '../../backends/ports.ts'
import { useAppDispatch } from '../../store-hooks.ts'
import { type ConnectionStatus, syncEmployees } from './sync-employees.ts'

interface ConnectionStatusOptions {
  documents: DocumentStore
  pageReady: Promise<unknown>
  isEnabled: boolean
}

/** Follows the register while it is wanted, and answers how the page stands to the service. */
export function useConnectionStatus({
  documents,
  pageReady,
  isEnabled,
}: ConnectionStatusOptions): ConnectionStatus {
  const dispatch = useAppDispatch()
  const [status, setStatus] = useState<ConnectionStatus>('loading')
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  useEffect(() => {
    if (isEnabled) return syncEmployees({ dispatch, documents, pageReady, onStatusChange: setStatus })
  }, [dispatch, documents, pageReady, isEnabled])
  // The browser knows that it is offline long before a silent line is given up.
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
