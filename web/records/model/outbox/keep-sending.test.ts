import { beforeEach, expect, test, vi } from 'vitest'
import { named } from '../../../../tests/support/people.ts'
import { ServiceError } from '../../../backends/ports.ts'
import type { Operation } from '../book/operation.ts'
import { nullStore } from './encrypted-store.ts'
import { Outbox, type OutboxOptions } from './outbox.ts'

const add: Operation = { kind: 'add', fields: named('Lost Soul'), key: 'k' }
const offline = new ServiceError('offline', 'The server can’t be reached.')
const busyFor = (retryAfterMs?: number) =>
  new ServiceError('busy', 'The server is busy. Try again in a moment.', { retryAfterMs })
const full = new ServiceError('storage-full', 'The disk is full.')
const minute = 60_000
const outcome = { type: 'removed', id: 'a' } as const

beforeEach(() => void vi.useFakeTimers())

/** An outbox with a `send` whose results the test sets, connected until `connection` is aborted. */
function createTestOutbox() {
  const sentAt: number[] = []
  const send = vi.fn<OutboxOptions['send']>(async () => outcome)
  const outbox = new Outbox({
    encryptedStore: nullStore,
    getBook: () => [],
    send: (operation) => {
      sentAt.push(Date.now())
      return send(operation)
    },
  })
  const connection = new AbortController()
  outbox.keepSending(connection.signal)
  const delays = () => sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0))
  return { outbox, send, sentAt, delays, connection }
}

test('retries a request that failed while connected, and keeps its entry unchanged until it succeeds', async () => {
  const { outbox, send, sentAt } = createTestOutbox()
  send.mockRejectedValueOnce(offline)
  await outbox.submit(add)
  const [entry] = outbox.entries()
  expect(entry).toMatchObject({ state: 'refused', refusal: { code: 'offline' } })
  const shown: unknown[] = []
  outbox.subscribe(() => shown.push(outbox.entries()))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(sentAt).toHaveLength(2)
  expect(send).toHaveBeenLastCalledWith(add)
  expect(shown).toEqual([[]])
})

test('the delay between retries grows to 8 s, and starts over with the next failure', async () => {
  const { outbox, send, delays } = createTestOutbox()
  send.mockRejectedValue(offline)
  await outbox.submit(add)
  await vi.advanceTimersByTimeAsync(minute)
  expect(delays()[0]).toBeGreaterThanOrEqual(500)
  expect(delays()[0]).toBeLessThanOrEqual(1_000)
  for (const delay of delays().slice(3)) {
    expect(delay).toBeGreaterThanOrEqual(4_000)
    expect(delay).toBeLessThanOrEqual(8_000)
  }
  send.mockResolvedValue(outcome)
  await vi.advanceTimersByTimeAsync(8_000)
  expect(outbox.entries()).toEqual([])

  send.mockRejectedValueOnce(offline)
  await outbox.submit(add)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(outbox.entries()).toEqual([])
})

test('does not retry other errors, or without a connection', async () => {
  const { outbox, send, sentAt, connection } = createTestOutbox()
  send.mockRejectedValueOnce(full)
  await outbox.submit(add)
  await vi.advanceTimersByTimeAsync(minute)
  expect(sentAt).toHaveLength(1)
  send.mockRejectedValue(offline)
  await outbox.submit({ ...add, key: 'k2' })
  connection.abort()
  await vi.advanceTimersByTimeAsync(minute)
  expect(sentAt).toHaveLength(2)
  expect(vi.getTimerCount()).toBe(0)
})

test('retries a busy service after its Retry-After, with growing delays', async () => {
  const { outbox, send, delays } = createTestOutbox()
  send.mockRejectedValueOnce(busyFor(20_000)).mockRejectedValue(busyFor())
  await outbox.submit(add)
  await vi.advanceTimersByTimeAsync(2 * minute)
  expect(delays()[0]).toBeGreaterThanOrEqual(20_000)
  expect(delays()[0]).toBeLessThanOrEqual(28_000)
  for (const delay of delays().slice(1)) expect(delay).toBeLessThanOrEqual(8_000)
  send.mockResolvedValue(outcome)
  await vi.advanceTimersByTimeAsync(8_000)
  expect(outbox.entries()).toEqual([])
})

test('retries a busy service soon if the clock is put back while it waits', async () => {
  const { outbox, send } = createTestOutbox()
  send.mockRejectedValueOnce(busyFor(5_000))
  await outbox.submit(add)
  vi.setSystemTime(Date.now() - 60 * minute)
  await vi.advanceTimersByTimeAsync(minute)
  expect(outbox.entries()).toEqual([])
})

test('operations behind a busy one of the same queue wait for it, and are sent in order', async () => {
  const { outbox, send } = createTestOutbox()
  const keys: unknown[] = []
  const busyUntil = Date.now() + 5_000
  send.mockImplementation(async (operation) => {
    if (Date.now() < busyUntil) throw busyFor(1_000)
    keys.push('key' in operation ? operation.key : operation.kind)
    return outcome
  })
  for (const key of ['k1', 'k2', 'k3']) await outbox.submit({ ...add, key })
  expect(send).toHaveBeenCalledOnce()
  expect(outbox.entries()).toMatchObject(Array(3).fill({ state: 'refused', refusal: { code: 'busy' } }))
  await outbox.submit({ kind: 'remove', employee: { id: 'other', ...add.fields } })
  expect(send, 'another queue is not blocked').toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(minute)
  expect(keys.filter((key) => key !== 'remove')).toEqual(['k1', 'k2', 'k3'])
})

test('never retries an import', async () => {
  const { outbox, send, sentAt } = createTestOutbox()
  send.mockRejectedValueOnce(offline)
  await outbox.importBatch({ add: [add.fields], update: [], remove: [] }, {})
  await vi.advanceTimersByTimeAsync(minute)
  expect(sentAt).toHaveLength(1)
  expect(outbox.entries()).toMatchObject([{ state: 'refused', refusal: { code: 'offline' } }])
})

test.each([
  ['edited', (outbox: Outbox, id: string) => void outbox.takeForEditing(id)],
  ['discarded', (outbox: Outbox, id: string) => void outbox.discard(id)],
])('an entry that is %s during a failing retry does not return', async (_, act) => {
  const { outbox, send } = createTestOutbox()
  send.mockRejectedValueOnce(offline)
  await outbox.submit(add)
  const { promise: answer, reject: fail } = Promise.withResolvers<typeof outcome>()
  send.mockReturnValueOnce(answer)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(send).toHaveBeenCalledTimes(2)
  act(outbox, outbox.entries()[0]?.id ?? '')
  fail(offline)
  await vi.advanceTimersByTimeAsync(minute)
  expect(outbox.entries()).toEqual([])
  expect(send).toHaveBeenCalledTimes(2)
})

test('a manual retry during a successful automatic one sends nothing', async () => {
  const { outbox, send } = createTestOutbox()
  send.mockRejectedValueOnce(offline)
  await outbox.submit(add)
  const { promise: answer, resolve: succeed } = Promise.withResolvers<typeof outcome>()
  send.mockReturnValueOnce(answer)
  await vi.advanceTimersByTimeAsync(1_000)
  const retried = outbox.retry(outbox.entries()[0]?.id ?? '')
  succeed(outcome)
  await retried
  expect(outbox.entries()).toEqual([])
  expect(send).toHaveBeenCalledTimes(2)
})
