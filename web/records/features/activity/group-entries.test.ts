import { expect, test } from 'vitest'
import type { ActivityEntry } from '../../../../contract/activity/activity.ts'
import { groupEntries, summarize } from './group-entries.ts'

let number = 0

/** `minute`: before noon. */
const entry = (minute: number, more: Partial<ActivityEntry> = {}): ActivityEntry => ({
  id: String(++number),
  at: new Date(new Date('2026-11-22T12:00:00').getTime() - minute * 60_000).toISOString(),
  ...{ kind: 'change', by: 'ada@x.y' },
  ...more,
})

const sizesOf = (entries: ActivityEntry[]) => groupEntries(entries).map((item) => item.entries.length)

test('what one person does of one kind within minutes is one item, and what another does between is not', () => {
  expect(sizesOf([entry(0), entry(9), entry(18)])).toEqual([3])
  expect(sizesOf([entry(0), entry(11)])).toEqual([1, 1])
  expect(sizesOf([entry(0), entry(1, { by: 'eve@x.y' }), entry(2)])).toEqual([1, 1, 1])
  expect(sizesOf([entry(0), entry(1, { kind: 'delete' })])).toEqual([1, 1])
  expect(sizesOf([entry(12 * 60 - 1), entry(12 * 60 + 1)])).toEqual([1, 1])
  expect(sizesOf([entry(60), entry(0)])).toEqual([1, 1])
})

test.each(['export', 'export-passwords', 'emergency'] as const)(
  'each %s is an item of its own: two have the same records',
  (kind) => {
    expect(sizesOf([entry(0, { kind, count: 214 }), entry(1, { kind, count: 214 })])).toEqual([1, 1])
  },
)

test('an item keeps its identity while it grows', () => {
  const first = entry(5)
  const [before] = groupEntries([first])
  const [after] = groupEntries([entry(0), first])
  expect(after?.id).toBe(before?.id)
})

test('an item names each record once, or has the number of all', () => {
  const summaryOf = (...entries: ActivityEntry[]) => groupEntries(entries).map(summarize)
  const [a, b] = ['a', 'b'].map((record) => ({ record }))
  expect(summaryOf(entry(0, a), entry(1, b), entry(2, a))).toEqual([{ records: ['a', 'b'], count: 2 }])
  expect(summaryOf(entry(0, { count: 40 }), entry(1, a))).toEqual([{ records: [], count: 41 }])
  expect(summaryOf(entry(0, { kind: 'invite' }))).toEqual([{ records: [], count: undefined }])
})

test('an item whose text has no number says how often it was done', () => {
  const timesOf = (...entries: ActivityEntry[]) => groupEntries(entries).map((item) => summarize(item).times)
  const invite = () => entry(0, { kind: 'invite' })
  expect(timesOf(invite())).toEqual([undefined])
  expect(timesOf(invite(), invite(), invite())).toEqual([3])
  const record = { record: 'a' }
  expect(timesOf(entry(0, record), entry(1, record))).toEqual([2])
  expect(timesOf(entry(0, record), entry(1, { record: 'b' }))).toEqual([undefined])
  const refused = (count: number) => entry(0, { kind: 'refuse-sign-in', count })
  expect(timesOf(refused(2), refused(3))).toEqual([undefined])
})
