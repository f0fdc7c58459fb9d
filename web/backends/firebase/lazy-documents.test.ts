import { describe, expect, test, vi } from 'vitest'
import { listenerWith } from '../../../tests/support/backend-client.ts'
import type { DocumentStore } from '../ports.ts'
import { createLazyDocuments } from './lazy-documents.ts'

describe('lazily loaded document store', () => {
  test('loads the code once, on first use', async () => {
    const load = vi.fn(async () => ({ list: async () => [] }) as unknown as DocumentStore)
    const documents = createLazyDocuments(load)
    expect(load).not.toHaveBeenCalled()
    await Promise.all([documents.list(), documents.list()])
    expect(load).toHaveBeenCalledTimes(1)
  })

  test('rejects with offline if loading fails, and tries again at the next call', async () => {
    const load = vi.fn(async () => ({ list: async () => [] }) as unknown as DocumentStore)
    load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    const documents = createLazyDocuments(load)
    await expect(documents.list()).rejects.toMatchObject({ name: 'ServiceError', code: 'offline' })
    await expect(documents.list()).resolves.toEqual([])
  })

  test('does not subscribe if it was unsubscribed before the code was loaded', async () => {
    const subscribe = vi.fn()
    const documents = createLazyDocuments(
      async () => ({ subscribe, list: async () => [] }) as unknown as DocumentStore,
    )
    documents.subscribe(listenerWith({}))()
    await documents.list()
    expect(subscribe).not.toHaveBeenCalled()
  })
})
