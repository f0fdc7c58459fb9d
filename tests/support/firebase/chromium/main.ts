import { createFirebaseBackend } from '../../../../web/backends/firebase/backend.ts'
import type { ChangeListener, Services } from '../../../../web/backends/ports.ts'
import { type CallOutcome, captureOutcome } from './call-outcome.ts'

declare const __FIREBASE_CONFIG__: Parameters<typeof createFirebaseBackend>[0]

/** What the test calls from outside the page. */
export interface Driver {
  call(port: keyof Services, method: string, args: unknown[]): Promise<CallOutcome>
  writeBatch(args: unknown[], isCancelled: boolean): Promise<CallOutcome>
  watch(id: number): void
  unwatch(id: number): void
}

declare global {
  interface Window {
    driver: Driver
    /** The test's ear: what an observer was told. */
    told(id: number, what: keyof ChangeListener, argument?: unknown): void
  }
}

const services = createFirebaseBackend(__FIREBASE_CONFIG__, { sessionCheckIntervalMs: 500 })
const unsubscribers = new Map<number, () => void>()

window.driver = {
  call(port, method, args) {
    const methods = services[port] as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
    return captureOutcome(() => methods[method]?.(...args))
  },
  writeBatch([batch, key]: [never, string], isCancelled) {
    const signal = isCancelled ? AbortSignal.abort() : undefined
    return captureOutcome(() => services.documents.writeBatch(batch, key, { signal }))
  },
  watch(id) {
    const stop = services.documents.subscribe({
      onChanges: (changes) => window.told(id, 'onChanges', changes),
      onStale: () => window.told(id, 'onStale'),
      onConnectionChange: (connected) => window.told(id, 'onConnectionChange', connected),
      onSessionEnded: () => window.told(id, 'onSessionEnded'),
    })
    unsubscribers.set(id, stop)
  },
  unwatch: (id) => unsubscribers.get(id)?.(),
}
