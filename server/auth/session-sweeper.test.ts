import { expect, it, vi } from 'vitest'
import { account } from '../../tests/contracts/provide-storage.ts'
import { recordLog, startTestServer } from '../../tests/support/server.ts'
import { createTestStorage } from '../../tests/support/storage.ts'
import type { EventStreams } from '../http/event-streams.ts'
import { startSessionSweeper } from './session-sweeper.ts'
import { Sessions } from './sessions.ts'

const minute = 60_000

it('reliability: the session sweeper reports the first failure of each task, and the next one only after a success', async () => {
  vi.useFakeTimers()
  let isUnavailable = true
  const failWhileUnavailable = async () => {
    if (isUnavailable) throw new Error('unavailable')
    return []
  }
  const reportedErrors: unknown[] = []
  const sessions = { onEnded() {}, findEnded: failWhileUnavailable } as unknown as Sessions
  const streams = { owners: () => ['a'], closeOwner() {} } as unknown as EventStreams
  const onError = (error: unknown) => reportedErrors.push(error)
  const stop = startSessionSweeper(sessions, failWhileUnavailable, streams, onError)
  await vi.advanceTimersByTimeAsync(5 * minute)
  expect(reportedErrors).toHaveLength(2)
  isUnavailable = false
  await vi.advanceTimersByTimeAsync(minute)
  isUnavailable = true
  await vi.advanceTimersByTimeAsync(5 * minute)
  expect(reportedErrors).toHaveLength(4)
  stop()
})

it('security: one check closes the streams of thousands of sessions that another process ended', async () => {
  const viewerCount = 1000
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
  const sessions = new Sessions({ storage: storage.sessions })
  const onError = (error: unknown) => expect.fail(String(error))
  const stop = startSessionSweeper(sessions, async () => {}, streams as EventStreams, onError)
  await storage.sessions.end(hashes.filter((hash) => hash !== 'session 7'))
  await vi.advanceTimersByTimeAsync(1000)
  stop()
  await expect.poll(() => ended.size).toBe(viewerCount - 1)
  expect(ended).not.toContain('session 7')
})

it('security: no expired session or link is deleted before the clock is trusted', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let leap = 0
  const { logger, text } = recordLog()
  const server = await startTestServer({ now: () => Date.now() + leap, logger })
  await server.signIn()
  await server.links.invite(null)
  leap = 8 * 24 * 60 * minute
  await vi.advanceTimersByTimeAsync(minute)
  await expect.poll(text).toContain('the clock may be wrong')
  for (const table of ['sessions', 'invitations'])
    expect(await server.testStorage.readRows(table)).toHaveLength(1)
})
