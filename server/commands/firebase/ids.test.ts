import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { recordId } from '../../../contract/firestore.ts'
import { newKey } from '../../../web/backends/idempotency-key.ts'
import { idsInOrder, originOf } from './ids.ts'

const ours = ['zzz', 'A-_9', 'a'.repeat(64), '0']
const pageIds = [1, 2, 3].map((time) => recordId(newKey(1_700_000_000_000 + time), 'ada'))

describe('moving a register: ids on Firebase', () => {
  it('stand in the order of the records, and tell the ids that these had', () => {
    const ids = idsInOrder(ours)
    expect(ids.toSorted()).toEqual(ids)
    expect(ids.map(originOf)).toEqual(ours)
  })

  it('are those that the rules admit', () => {
    const [, pattern = ''] = /id\.matches\('([^']+)'\)/.exec(readFileSync('firestore.rules', 'utf8')) ?? []
    expect(pattern).not.toBe('')
    for (const id of [...idsInOrder([...ours, ...pageIds]), ...pageIds])
      expect(id).toMatch(new RegExp(pattern))
  })

  it('of a later import stand behind those of an earlier one', () => {
    const [earlier = ''] = idsInOrder(['z'], 1_700_000_000_000)
    const [later = ''] = idsInOrder(['a'], 1_700_000_000_001)
    expect(earlier < later).toBe(true)
  })

  it('that the page made are kept, and are nobody else’s', () => {
    expect(idsInOrder(pageIds)).toEqual(pageIds)
    expect(pageIds.map(originOf)).toEqual(pageIds)
  })

  it('that would break the order are kept as origins alone', () => {
    const mixed = ['ours', ...pageIds.toReversed(), 'ours-too']
    const ids = idsInOrder(mixed)
    expect(ids.toSorted()).toEqual(ids)
    expect(ids.map(originOf)).toEqual(mixed)
    expect(new Set(ids).size).toBe(mixed.length)
  })
})
