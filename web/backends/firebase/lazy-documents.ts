import type { DocumentStore } from '../ports.ts'
import { failure } from './errors.ts'

/** A document store whose code comes over the network when it is first used, and again where that failed. */
export function lazyDocuments(load: () => Promise<DocumentStore>): DocumentStore {
  let loading: Promise<DocumentStore> | undefined

  function loaded(): Promise<DocumentStore> {
    loading ??= load().catch((cause) => {
      loading = undefined
      throw failure('offline', { cause })
    })
    return loading
  }

  return {
    list: async () => (await loaded()).list(),
    add: async (...args) => (await loaded()).add(...args),
    update: async (...args) => (await loaded()).update(...args),
    remove: async (...args) => (await loaded()).remove(...args),
    restore: async (...args) => (await loaded()).restore(...args),
    writeBatch: async (...args) => (await loaded()).writeBatch(...args),

    watch(observer) {
      let isStopped = false
      let stop = () => {}
      loaded().then(
        (documents) => {
          if (!isStopped) stop = documents.watch(observer)
        },
        () => {
          if (!isStopped) observer.stale()
        },
      )
      return () => {
        isStopped = true
        stop()
      }
    },
  }
}
