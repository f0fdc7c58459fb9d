import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ServiceError } from '../../backends/ports.ts'
import { emptyDraft } from './draft.ts'
import { nullStore } from './encrypted-store.ts'
import type { Operation } from './operation.ts'
import { Outbox, type OutboxOptions } from './outbox.ts'
import { startRetryLoop } from './retry-loop.ts'

const add: Operation = {
  kind: 'add',
  fields: { eName: 'Lost Soul', email: 'lost@example.com', password: 'kept' },
  key: 'k',
}
const offline = new ServiceError('offline', 'The server can’t be reached.')
const full = new ServiceError('storage-full', 'The disk is full.')
const minute = 60_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** An outbox over a service whose answers the test gives, on a line that stands until it is aborted. */
function createTestOutbox() {
  const sentAt: number[] = []
  const answer = vi.fn<OutboxOptions['send']>(async () => undefined)
  const outbox = new Outbox({
    encryptedStore: nullStore,
    getBook: () => [],
    send: (operation) => {
      sentAt.push(Date.now())
      return answer(operation)
    },
  })
  const connection = new AbortController()
  startRetryLoop(outbox, connection.signal)
  return { outbox, answer, sentAt, line: connection }
}

test('what a standing line has lost is sent again by itself, soon, and stands there until it is saved', async () => {
  const { outbox, answer, sentAt } = createTestOutbox()
  answer.mockRejectedValueOnce(offline)
  await outbox.submit(add)
  const [entry] = outbox.entries()
  expect(entry).toMatchObject({ state: 'refused', refusal: { code: 'offline' } })
  const shown: unknown[] = []
  outbox.subscribe(() => shown.push(outbox.entries()))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(sentAt).toHaveLength(2)
  expect(answer).toHaveBeenLastCalledWith(add)
  expect(shown).toEqual([[]])
})

test('the tries grow apart up to 8 s, and begin anew with the next that is lost', async () => {
  const { outbox, answer, sentAt } = createTestOutbox()
  answer.mockRejectedValue(offline)
  await outbox.submit(add)
  await vi.advanceTimersByTimeAsync(minute)
  const pauses = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0))
  expect(pauses[0]).toBeGreaterThanOrEqual(500)
  expect(pauses[0]).toBeLessThanOrEqual(1_000)
  for (const pause of pauses.slice(3)) {
    expect(pause).toBeGreaterThanOrEqual(4_000)
    expect(pause).toBeLessThanOrEqual(8_000)
  }
  answer.mockResolvedValue(undefined)
  await vi.advanceTimersByTimeAsync(8_000)
  expect(outbox.entries()).toEqual([])

  answer.mockRejectedValueOnce(offline)
  await outbox.submit(add)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(outbox.entries()).toEqual([])
})

test('nothing is sent again that was refused for another reason, or once the line is lost', async () => {
  const { outbox, answer, sentAt, line } = createTestOutbox()
  answer.mockRejectedValueOnce(full)
  await outbox.submit(add)
  await vi.advanceTimersByTimeAsync(minute)
  expect(sentAt).toHaveLength(1)
  answer.mockRejectedValue(offline)
  await outbox.submit({ ...add, key: 'k2' })
  line.abort()
  await vi.advanceTimersByTimeAsync(minute)
  expect(sentAt).toHaveLength(2)
  expect(vi.getTimerCount()).toBe(0)
})

test('an import is never sent again by itself', async () => {
  const { outbox, answer, sentAt } = createTestOutbox()
  answer.mockRejectedValueOnce(offline)
  await outbox.importBatch({ add: [add.fields], update: [], remove: [] }, {})
  await vi.advanceTimersByTimeAsync(minute)
  expect(sentAt).toHaveLength(1)
  expect(outbox.entries()).toMatchObject([{ state: 'refused', refusal: { code: 'offline' } }])
})

test.each([
  ['edited', (outbox: Outbox, id: string) => void outbox.takeForEditing(id, emptyDraft)],
  ['discarded', (outbox: Outbox, id: string) => void outbox.discard(id)],
])('what is %s while it is being sent again does not come back when that fails', async (_, act) => {
  const { outbox, answer } = createTestOutbox()
  answer.mockRejectedValueOnce(offline)
  await outbox.submit(add)
  let fail = () => {}
  answer.mockImplementationOnce(() => new Promise((_, reject) => (fail = () => reject(offline))))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(answer).toHaveBeenCalledTimes(2)
  act(outbox, outbox.entries()[0]?.id ?? '')
  fail()
  await vi.advanceTimersByTimeAsync(minute)
  expect(outbox.entries()).toEqual([])
  expect(answer).toHaveBeenCalledTimes(2)
})

test('a Retry while it is being sent again sends nothing twice that was saved', async () => {
  const { outbox, answer } = createTestOutbox()
  answer.mockRejectedValueOnce(offline)
  await outbox.submit(add)
  let succeed = () => {}
  answer.mockImplementationOnce(() => new Promise((resolve) => (succeed = () => resolve(undefined))))
  await vi.advanceTimersByTimeAsync(1_000)
  const retried = outbox.retry(outbox.entries()[0]?.id ?? '')
  succeed()
  await retried
  expect(outbox.entries()).toEqual([])
  expect(answer).toHaveBeenCalledTimes(2)
})
