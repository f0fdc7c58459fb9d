import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { account } from '../../tests/contracts/storage-suite.ts'
import { createTestStorage } from '../../tests/support/storage.ts'
import type { EventStreams } from '../http/event-streams.ts'
import { startSessionSweeper } from './session-sweeper.ts'
import { createSessions, type Sessions } from './sessions.ts'

const minute = 60_000

describe('reliability: sessions are watched while the storage is away', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('each of its two tasks tells once, and again only after it has worked', async () => {
    let isAway = true
    const failWhileAway = async () => {
      if (isAway) throw new Error('away')
      return []
    }
    const reportedErrors: unknown[] = []
    const sessions = {
      onEnded() {},
      endedAmong: failWhileAway,
      endExpired: failWhileAway,
    } as unknown as Sessions
    const streams = { owners: () => ['a'], closeOwner() {} } as unknown as EventStreams
    const stop = startSessionSweeper(sessions, streams, (error) => reportedErrors.push(error))
    await vi.advanceTimersByTimeAsync(5 * minute)
    expect(reportedErrors).toHaveLength(2)
    isAway = false
    await vi.advanceTimersByTimeAsync(minute)
    isAway = true
    await vi.advanceTimersByTimeAsync(5 * minute)
    expect(reportedErrors).toHaveLength(4)
    stop()
  })
})

it('security: one look ends the streams of all whose sessions another process has ended, of thousands, too', async () => {
  const viewerCount = 4000
  const testStorage = await createTestStorage()
  const storage = await testStorage.open()
  const at = Date.now()
  const hashes = Array.from({ length: viewerCount }, (_, i) => `session ${i}`)
  await storage.accounts.add(account('1', 'ada@x.y'))
  const session = { uid: '1', createdAt: at, lastSeenAt: at }
  await Promise.all(hashes.map((hash) => storage.sessions.add({ ...session, hash }, 'hash')))

  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const ended = new Set<string>()
  const streams = {
    owners: () => hashes,
    closeOwner: (hash: string) => ended.add(hash),
  } as Partial<EventStreams>
  const sessions = createSessions({ storage: storage.sessions })
  const stop = startSessionSweeper(sessions, streams as EventStreams, (error) => expect.fail(String(error)))
  await storage.sessions.endAll('1', 'session 7')
  await vi.advanceTimersByTimeAsync(1000)
  stop()
  await expect.poll(() => ended.size).toBe(viewerCount - 1)
  expect(ended).not.toContain('session 7')

  vi.useRealTimers()
  await storage.close()
  await testStorage.remove()
})
