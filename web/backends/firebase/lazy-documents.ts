import type { DocumentStore, PreviousPasswordService } from '../ports.ts'
import { createServiceError } from './errors.ts'

/** A document store whose code is loaded on first use; after a failure, the next call tries again. */
export function createLazyDocuments(load: () => Promise<DocumentStore>): DocumentStore {
  let loading: Promise<DocumentStore> | undefined

  function loadOnce(): Promise<DocumentStore> {
    loading ??= load().catch((cause) => {
      loading = undefined
      throw createServiceError('offline', { cause })
    })
    return loading
  }

  return {
    list: async () => (await loadOnce()).list(),
    add: async (...args) => (await loadOnce()).add(...args),
    update: async (...args) => (await loadOnce()).update(...args),
    remove: async (...args) => (await loadOnce()).remove(...args),
    restore: async (...args) => (await loadOnce()).restore(...args),
    writeBatch: async (...args) => (await loadOnce()).writeBatch(...args),
    loadPreviousPasswords: async () =>
      (await loadOnce()).loadPreviousPasswords?.() as Promise<PreviousPasswordService>,

    subscribe(listener) {
      let isStopped = false
      let stop = () => {}
      loadOnce().then(
        (documents) => {
          if (!isStopped) stop = documents.subscribe(listener)
        },
        () => {
          if (!isStopped) listener.onStale()
        },
      )
      return () => {
        isStopped = true
        stop()
      }
    },
  }
}
