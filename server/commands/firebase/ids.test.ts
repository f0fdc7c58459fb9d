import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createRecordId } from '../../../contract/firestore.ts'
import { createOrderedIds, originalIdOf } from './ids.ts'

const ours = ['zzz', 'A-_9', 'a'.repeat(64), '0']
/** Ids as the page creates them: from idempotency keys, which are UUIDs of version 7. */
const pageIds = [1, 2, 3].map((n) => createRecordId(`018bcfe5-680${n}-7abc-8def-0123456789ab`, 'ada'))

describe('moving a register: ids on Firebase', () => {
  it('stand in the order of the records, and tell the ids that these had', () => {
    const ids = createOrderedIds(ours)
    expect(ids.toSorted()).toEqual(ids)
    expect(ids.map(originalIdOf)).toEqual(ours)
  })

  it('are those that the rules admit', () => {
    const [, pattern = ''] = /id\.matches\('([^']+)'\)/.exec(readFileSync('firestore.rules', 'utf8')) ?? []
    expect(pattern).not.toBe('')
    for (const id of [...createOrderedIds([...ours, ...pageIds]), ...pageIds])
      expect(id).toMatch(new RegExp(pattern))
  })

  it('of a later import stand behind those of an earlier one', () => {
    const [earlier = ''] = createOrderedIds(['z'], 1_700_000_000_000)
    const [later = ''] = createOrderedIds(['a'], 1_700_000_000_001)
    expect(earlier < later).toBe(true)
  })

  it('that the page made are kept, and are nobody else’s', () => {
    expect(createOrderedIds(pageIds)).toEqual(pageIds)
    expect(pageIds.map(originalIdOf)).toEqual(pageIds)
  })

  it('that would break the order are kept as origins alone', () => {
    const mixed = ['ours', ...pageIds.toReversed(), 'ours-too']
    const ids = createOrderedIds(mixed)
    expect(ids.toSorted()).toEqual(ids)
    expect(ids.map(originalIdOf)).toEqual(mixed)
    expect(new Set(ids).size).toBe(mixed.length)
  })
})
