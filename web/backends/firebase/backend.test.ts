import { describe, expect, test, vi } from 'vitest'
import type { DocumentStore } from '../ports.ts'
import { createLazyDocuments } from './backend.ts'

describe('lazily loaded document store', () => {
  const createLoad = () => vi.fn(async () => open)
  const open = vi.fn(() => ({ list: async () => [] }) as unknown as DocumentStore)

  test('loads the code on first use, and opens the store once', async () => {
    const load = createLoad()
    const documents = createLazyDocuments(load)
    expect(load).not.toHaveBeenCalled()
    await Promise.all([documents.list(), documents.list()])
    expect(open).toHaveBeenCalledTimes(1)
  })

  test('rejects with offline if loading fails, and tries again at the next call', async () => {
    const load = createLoad()
    load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    const documents = createLazyDocuments(load)
    await expect(documents.list()).rejects.toMatchObject({ name: 'ServiceError', code: 'offline' })
    await expect(documents.list()).resolves.toEqual([])
  })
})
