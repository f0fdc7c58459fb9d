import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createRecordId } from '../../../contract/firestore.ts'
import { createOrderedIds, originalIdOf } from './ids.ts'

const ours = ['zzz', 'A-_9', 'a'.repeat(64), '0']
/** Ids as the page creates them: from idempotency keys, which are UUIDs of version 7. */
const pageIds = [1, 2, 3].map((n) => createRecordId(`018bcfe5-680${n}-7abc-8def-0123456789ab`, 'ada'))

describe('ids on Firebase', () => {
  it('preserve the order of the records and contain the original ids', () => {
    const ids = createOrderedIds(ours)
    expect(ids.toSorted()).toEqual(ids)
    expect(ids.map(originalIdOf)).toEqual(ours)
  })

  it('match the pattern in firestore.rules', () => {
    const [, pattern = ''] = /id\.matches\('([^']+)'\)/.exec(readFileSync('firestore.rules', 'utf8')) ?? []
    expect(pattern).not.toBe('')
    for (const id of [...createOrderedIds([...ours, ...pageIds]), ...pageIds])
      expect(id).toMatch(new RegExp(pattern))
  })

  it('of a later import come after those of an earlier one', () => {
    const [earlier = ''] = createOrderedIds(['z'], 1_700_000_000_000)
    const [later = ''] = createOrderedIds(['a'], 1_700_000_000_001)
    expect(earlier < later).toBe(true)
  })

  it('that the page created do not change', () => {
    expect(createOrderedIds(pageIds)).toEqual(pageIds)
    expect(pageIds.map(originalIdOf)).toEqual(pageIds)
  })

  it('that would break the order are replaced, and remain the original ids', () => {
    const mixed = ['ours', ...pageIds.toReversed(), 'ours-too']
    const ids = createOrderedIds(mixed)
    expect(ids.toSorted()).toEqual(ids)
    expect(ids.map(originalIdOf)).toEqual(mixed)
    expect(new Set(ids).size).toBe(mixed.length)
  })
})
