import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EventStreams } from '../http/event-streams.ts'
import type { Sessions } from './sessions.ts'
import { watchSessions } from './watch.ts'

const minute = 60_000

describe('issue 3, reliability: sessions are watched while the storage is away', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('each of its two tasks tells once, and again only after it has worked', async () => {
    let isAway = true
    const ask = async () => {
      if (isAway) throw new Error('away')
      return []
    }
    const told: unknown[] = []
    const sessions = { onEnded() {}, endedAmong: ask, endExpired: ask } as unknown as Sessions
    const streams = { owners: () => ['a'], endOf() {} } as unknown as EventStreams
    const stop = watchSessions(sessions, streams, (error) => told.push(error))
    await vi.advanceTimersByTimeAsync(5 * minute)
    expect(told).toHaveLength(2)
    isAway = false
    await vi.advanceTimersByTimeAsync(minute)
    isAway = true
    await vi.advanceTimersByTimeAsync(5 * minute)
    expect(told).toHaveLength(4)
    stop()
  })
})
