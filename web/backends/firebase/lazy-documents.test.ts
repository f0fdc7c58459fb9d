import { describe, expect, test, vi } from 'vitest'
import type { ChangeListener, DocumentStore } from '../ports.ts'
import { createLazyDocuments } from './lazy-documents.ts'

function createListener(): ChangeListener {
  return { onChanges: vi.fn(), onStale: vi.fn(), onConnectionChange: vi.fn(), onSessionEnded: vi.fn() }
}

describe('documents whose code comes when it is needed', () => {
  test('it is loaded once, and not before', async () => {
    const load = vi.fn(async () => ({ list: async () => [] }) as unknown as DocumentStore)
    const documents = createLazyDocuments(load)
    expect(load).not.toHaveBeenCalled()
    await Promise.all([documents.list(), documents.list()])
    expect(load).toHaveBeenCalledTimes(1)
  })

  test('without a network it is offline, and the next call tries again', async () => {
    const load = vi.fn(async () => ({ list: async () => [] }) as unknown as DocumentStore)
    load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    const documents = createLazyDocuments(load)
    await expect(documents.list()).rejects.toMatchObject({ name: 'ServiceError', code: 'offline' })
    await expect(documents.list()).resolves.toEqual([])
  })

  test('watching that was stopped before the code came never begins', async () => {
    const subscribe = vi.fn()
    const documents = createLazyDocuments(
      async () => ({ subscribe, list: async () => [] }) as unknown as DocumentStore,
    )
    documents.subscribe(createListener())()
    await documents.list()
    expect(subscribe).not.toHaveBeenCalled()
  })
})
