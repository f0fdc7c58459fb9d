import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Services } from '../services/ports.ts'
import type { Store } from '../store.ts'
import { followRegister, type Line } from './follow-register.ts'

/** Follows the register while the page is there, and answers how the page stands to the service. */
export function useLine(store: Store, { documents }: Services): Line {
  const [line, setLine] = useState<Line>('reading')
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  useEffect(() => followRegister({ store, documents, onLine: setLine }), [store, documents])
  // The browser knows that it is offline long before a silent line is given up.
  return line === 'live' && !isOnline ? 'lost' : line
}

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
