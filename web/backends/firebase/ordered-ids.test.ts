import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOrderedIds } from './ordered-ids.ts'

test('previousId returns the greatest smaller id after any sequence of adds and removals', () => {
  const step = fc.record({
    isAdded: fc.boolean(),
    id: fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 3 }),
  })
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ maxLength: 2 })), fc.array(step), (start, steps) => {
      const ids = createOrderedIds()
      const expected = new Set(start)
      ids.reset(start.toSorted())
      for (const { isAdded, id } of steps) {
        if (isAdded) ids.add(id)
        else ids.remove(id)
        if (isAdded) expected.add(id)
        else expected.delete(id)
        const smaller = [...expected].filter((other) => other < id).sort()
        expect(ids.previousId(id)).toBe(smaller.at(-1) ?? null)
      }
    }),
  )
})
