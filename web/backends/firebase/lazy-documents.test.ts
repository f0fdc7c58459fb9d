import { describe, expect, test, vi } from 'vitest'
import type { DocumentStore, Observer } from '../ports.ts'
import { lazyDocuments } from './lazy-documents.ts'

function observer(): Observer {
  return { changed: vi.fn(), stale: vi.fn(), connected: vi.fn(), ended: vi.fn() }
}

describe('documents whose code comes when it is needed', () => {
  test('it is loaded once, and not before', async () => {
    const load = vi.fn(async () => ({ list: async () => [] }) as unknown as DocumentStore)
    const documents = lazyDocuments(load)
    expect(load).not.toHaveBeenCalled()
    await Promise.all([documents.list(), documents.list()])
    expect(load).toHaveBeenCalledTimes(1)
  })

  test('without a network it is offline, and the next call tries again', async () => {
    const load = vi.fn(async () => ({ list: async () => [] }) as unknown as DocumentStore)
    load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    const documents = lazyDocuments(load)
    await expect(documents.list()).rejects.toMatchObject({ name: 'ServiceError', code: 'offline' })
    await expect(documents.list()).resolves.toEqual([])
  })

  test('watching that was stopped before the code came never begins', async () => {
    const watch = vi.fn()
    const documents = lazyDocuments(async () => ({ watch, list: async () => [] }) as unknown as DocumentStore)
    documents.watch(observer())()
    await documents.list()
    expect(watch).not.toHaveBeenCalled()
  })
})
