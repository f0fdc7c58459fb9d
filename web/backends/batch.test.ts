import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Batch, BatchResult } from '../../contract/batches.ts'
import type { Employee } from '../../contract/employees.ts'
import { named } from '../../tests/support/people.ts'
import { applyBatch, invertBatch } from './batch.ts'

const person = (id: string, name = id): Employee => ({ id, ...named(name) })
const book = ['a', 'b', 'c'].map((id) => person(id))

const changes = fc
  .record({
    added: fc.array(fc.string({ minLength: 1 }), { maxLength: 4 }),
    updated: fc.subarray(['a', 'b', 'c']),
    kept: fc.subarray(['a', 'b', 'c']),
  })
  .map(({ added, updated, kept }): [Batch, BatchResult] => [
    {
      add: added.map((name) => named(name)),
      update: updated.map((id) => ({ seen: person(id), fields: named(`${id}2`) })),
      remove: [],
    },
    { ids: added.map((_, i) => `new-${i}`), kept: kept.filter((id) => updated.includes(id)) },
  ])

test('applying a batch appends, updates in place, removes, and skips conflicts', () => {
  const batch: Batch = {
    add: [named('d')],
    update: [
      { seen: person('a'), fields: named('a2') },
      { seen: person('b'), fields: named('b2') },
    ],
    remove: [person('c')],
  }
  expect(applyBatch(book, batch, { ids: ['d'], kept: ['b'] })).toEqual([
    person('a', 'a2'),
    person('b'),
    person('d'),
  ])
})

test('applying a batch that restores inserts each record after the one before it, in any order of the batch', () => {
  const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => person(id))
  const present = all.filter(({ id }) => 'cg'.includes(id))
  const batch: Batch = { add: [], update: [], remove: [], restore: all.toReversed() }
  const places = ['a', 'b', 'd', 'e', 'f'].map((id) => ({ id, after: 'abcde'['bcdef'.indexOf(id)] ?? null }))
  expect(applyBatch(present, batch, { ids: [], kept: ['g'], restored: places })).toEqual(all)
})

test('applying a batch twice has no further effect, and its inverse restores the previous list', () => {
  fc.assert(
    fc.property(changes, ([batch, result]) => {
      const once = applyBatch(book, batch, result)
      expect(applyBatch(once, batch, result)).toEqual(once)
      expect(applyBatch(once, invertBatch(batch, result), { ids: [], kept: [] })).toEqual(book)
    }),
  )
})

test('the inverse of a batch without effect is empty', () => {
  const batch = { add: [], update: [{ seen: person('a'), fields: named('a2') }], remove: [] }
  expect(invertBatch(batch, { ids: [], kept: ['a'] })).toEqual({ add: [], update: [], remove: [] })
})
