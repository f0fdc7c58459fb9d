import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOrderedIds } from './ordered-ids.ts'

test('ids in order: what stands before one is the greatest that is smaller', () => {
  const step = fc.record({
    isThere: fc.boolean(),
    id: fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 3 }),
  })
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ maxLength: 2 })), fc.array(step), (start, steps) => {
      const ids = createOrderedIds()
      const expected = new Set(start)
      ids.reset(start.toSorted())
      for (const { isThere, id } of steps) {
        if (isThere) ids.add(id)
        else ids.remove(id)
        if (isThere) expected.add(id)
        else expected.delete(id)
        const smaller = [...expected].filter((other) => other < id).sort()
        expect(ids.previousId(id)).toBe(smaller.at(-1) ?? null)
      }
    }),
  )
})
