import { expect, test, vi } from 'vitest'
import { lazyService } from '../../../backends/lazy-service.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { findReadAhead, readActivityAhead } from './read-ahead.ts'

const page = { entries: [] }

function createService(more: Partial<HistoryService> = {}) {
  const listActivity = vi.fn<HistoryService['listActivity']>(async () => page)
  return { listActivity, ...more } as HistoryService & { listActivity: typeof listActivity }
}

test('the first page is read ahead once, and again after some time', async () => {
  vi.useFakeTimers()
  const service = createService()
  readActivityAhead(service)
  readActivityAhead(service)
  expect(await findReadAhead(service)?.reading).toBe(page)
  expect(findReadAhead(service)?.page).toBe(page)
  expect(service.listActivity).toHaveBeenCalledTimes(1)
  expect(findReadAhead(createService())).toBeUndefined()
  vi.advanceTimersByTime(61_000)
  expect(findReadAhead(service)).toBeUndefined()
  readActivityAhead(service)
  await findReadAhead(service)?.reading
  expect(service.listActivity).toHaveBeenCalledTimes(2)
  vi.useRealTimers()
})

test.each([false, true])('nothing is read ahead where each entry costs money: %s', async (isMetered) => {
  const service = createService(isMetered ? { isMetered: async () => true } : {})
  const loadedOnDemand = lazyService<HistoryService>(async () => service)
  readActivityAhead(loadedOnDemand)
  expect(await findReadAhead(loadedOnDemand)?.reading).toBe(isMetered ? undefined : page)
  expect(service.listActivity).toHaveBeenCalledTimes(isMetered ? 0 : 1)
})

test('what could not be read ahead is read again', async () => {
  const service = createService()
  service.listActivity.mockRejectedValueOnce(new Error('offline'))
  readActivityAhead(service)
  await expect.poll(() => findReadAhead(service)).toBeUndefined()
  readActivityAhead(service)
  await findReadAhead(service)?.reading
  expect(service.listActivity).toHaveBeenCalledTimes(2)
})
