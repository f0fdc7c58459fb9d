import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDeletionGroups, groupDeleted } from './deletions.ts'
import { minDeletion } from './history.ts'

const gapMs = 5_000

function group(removals: [at: number, by: string][]) {
  const groups = createDeletionGroups<string>()
  for (const [at, by] of removals) groups.add(at, by)
  return groups.list()
}

const removalsOf = (by: string, start: number, count: number, gap: number) =>
  Array.from({ length: count }, (_, i): [number, string] => [start + i * gap, by])

test('removals of one person up to five seconds apart are one deletion, and a longer pause begins another', () => {
  const [first, second] = [
    removalsOf('ann', 0, minDeletion, gapMs),
    removalsOf('ann', 9 * gapMs + gapMs + 1, minDeletion, 0),
  ]
  expect(group([...first, ...second])).toEqual([
    { since: 10 * gapMs + 1, until: 10 * gapMs + 1, count: minDeletion, by: 'ann' },
    { since: 0, until: 9 * gapMs, count: minDeletion, by: 'ann' },
  ])
})

test('what others delete meanwhile is a deletion of their own, and a few records are none', () => {
  const [ann, bob] = [removalsOf('ann', 0, minDeletion, 10), removalsOf('bob', 5, minDeletion - 1, 10)]
  const mixed = [...ann, ...bob].sort(([a], [b]) => a - b)
  expect(group(mixed)).toMatchObject([{ by: 'ann', count: minDeletion }])
})

test('a clock that steps back ends no deletion', () => {
  const removals = removalsOf('ann', 60_000, minDeletion - 1, 10)
  expect(group([...removals, [1_000, 'ann']])).toMatchObject([{ since: 1_000, count: minDeletion }])
})

test('at most the latest twenty are listed', () => {
  const all = Array.from({ length: 25 }, (_, i) => removalsOf('ann', i * 100_000, minDeletion, 0)).flat()
  const listed = group(all)
  expect(listed).toHaveLength(20)
  expect(listed[0]).toMatchObject({ since: 24 * 100_000 })
})

test('a list from the latest to the oldest has the deletions that the removals in order have', () => {
  const removal = fc.record({
    gap: fc.integer({ min: 0, max: 6_000 }),
    by: fc.constantFrom('ann', undefined),
  })
  const check = (steps: { gap: number; by: string | undefined }[]) => {
    let at = Date.UTC(2026, 0)
    const removals = steps.map(({ gap, by }) => {
      at += gap
      return { at, by }
    })
    const groups = createDeletionGroups<string | undefined>()
    for (const { at, by } of removals) groups.add(at, by)
    const listed = groupDeleted(
      removals.map(({ at, by }) => ({ deletedAt: new Date(at).toISOString(), deletedBy: by })).reverse(),
    )
    expect(listed.map(({ since, count }) => [Date.parse(since), count])).toEqual(
      groups.list().map(({ since, count }) => [since, count]),
    )
  }
  fc.assert(fc.property(fc.array(removal, { maxLength: 60 }), check))
})
