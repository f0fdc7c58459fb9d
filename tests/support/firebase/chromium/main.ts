import { createFirebase } from '../../../../web/backends/firebase/create.ts'
import type { Observer, Services } from '../../../../web/backends/ports.ts'
import { type Answer, answerOf } from './answer.ts'

declare const __FIREBASE_CONFIG__: Parameters<typeof createFirebase>[0]

/** What the test calls from outside the page. */
export interface Driver {
  call(port: keyof Services, method: string, args: unknown[]): Promise<Answer>
  writeBatch(args: unknown[], isCancelled: boolean): Promise<Answer>
  watch(id: number): void
  stop(id: number): void
}

declare global {
  interface Window {
    driver: Driver
    /** The test's ear: what an observer was told. */
    told(id: number, what: keyof Observer, argument?: unknown): void
  }
}

const services = createFirebase(__FIREBASE_CONFIG__, { checkSessionEvery: 500 })
const stops = new Map<number, () => void>()

window.driver = {
  call(port, method, args) {
    const methods = services[port] as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
    return answerOf(() => methods[method]?.(...args))
  },
  writeBatch([batch, key]: [never, string], isCancelled) {
    const signal = isCancelled ? AbortSignal.abort() : undefined
    return answerOf(() => services.documents.writeBatch(batch, key, { signal }))
  },
  watch(id) {
    const stop = services.documents.watch({
      changed: (changes) => window.told(id, 'changed', changes),
      stale: () => window.told(id, 'stale'),
      connected: (connected) => window.told(id, 'connected', connected),
      ended: () => window.told(id, 'ended'),
    })
    stops.set(id, stop)
  },
  stop: (id) => stops.get(id)?.(),
}
