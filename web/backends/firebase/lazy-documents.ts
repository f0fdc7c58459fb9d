import { whenSettled } from '../../lib/dom.ts'
import { lazyService } from '../lazy-service.ts'
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

  const { list, add, update, remove, restore, writeBatch } = lazyService(loadOnce)
  return {
    ...{ list, add, update, remove, restore, writeBatch },
    previousPasswords: lazyService(
      async () => (await loadOnce()).previousPasswords as PreviousPasswordService,
    ),

    subscribe(listener) {
      let stop = () => {}
      const stopWaiting = whenSettled(
        loadOnce(),
        (documents) => {
          stop = documents.subscribe(listener)
        },
        () => listener.onStale(),
      )
      return () => {
        stopWaiting()
        stop()
      }
    },
  }
}
