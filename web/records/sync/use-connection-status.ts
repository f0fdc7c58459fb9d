import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Services } from '../../backends/ports.ts'
import type { Store } from '../../store.ts'
import { followRegister, type Line } from './sync-employees.ts'

interface LineParts {
  store: Store
  services: Services
  shown: Promise<unknown>
  isWanted: boolean
}

/** Follows the register while it is wanted, and answers how the page stands to the service. */
export function useLine({ store, services: { documents }, shown, isWanted }: LineParts): Line {
  const [line, setLine] = useState<Line>('reading')
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  useEffect(() => {
    if (isWanted) return followRegister({ store, documents, shown, onLine: setLine })
  }, [store, documents, shown, isWanted])
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
