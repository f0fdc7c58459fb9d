import { disableNetwork, type Firestore } from 'firebase/firestore'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { read } from './firestore.ts'

vi.mock(import('firebase/firestore'), async (load) => ({
  ...(await load()),
  disableNetwork: vi.fn(),
  enableNetwork: vi.fn(),
}))

const db = {} as Firestore

beforeEach(() => {
  vi.clearAllMocks()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/**
 * Reads while time passes; the first reads reject with these codes. Resolves to the result, the number of reads, and how long they took.
 */
async function readAfter(codes: string[]) {
  const startedAt = performance.now()
  const start = vi.fn(async () => {
    const code = codes.shift()
    if (code) throw Object.assign(new Error(code), { code })
    return 'read'
  })
  const reading = read(db, start).catch(({ code }) => code)
  await vi.runAllTimersAsync()
  return [await reading, start.mock.calls.length, performance.now() - startedAt]
}

test('a read that is refused for lack of a connection is repeated until there is one', async () => {
  expect(await readAfter(['unavailable', 'unavailable'])).toEqual(['read', 3, 1_000])
})

test('without a connection for 5 s, a read rejects with offline', async () => {
  expect(await readAfter(Array(99).fill('unavailable'))).toEqual(['offline', 11, 5_000])
})

test('a read rejects with offline at once where the browser knows that there is no network', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  expect(await readAfter(['unavailable'])).toEqual(['offline', 1, 0])
})

test.each([
  ['permission-denied', 'not-allowed'],
  ['internal', 'server-error'],
])('a read that fails with %s is not repeated', async (theirs, ours) => {
  expect(await readAfter([theirs])).toEqual([ours, 1, 0])
})

test('a read without a response for 10 s is repeated on another connection, and rejects with offline after 15 s', async () => {
  const start = vi.fn(() => new Promise(() => {}))
  const reading = read(db, start).catch(({ code }) => code)
  await vi.advanceTimersByTimeAsync(9_999)
  expect(disableNetwork).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(501)
  expect(disableNetwork).toHaveBeenCalledOnce()
  expect(start).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(4_499)
  expect(await Promise.race([reading, 'waits'])).toBe('waits')
  await vi.advanceTimersByTimeAsync(1)
  expect(await reading).toBe('offline')
})
