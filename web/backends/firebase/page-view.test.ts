import fc from 'fast-check'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ada, grace, renamed } from '../../../tests/support/people.ts'
import type { ChangeListener } from '../ports.ts'
import { OrderedIds, PageView, type RequestedWrite } from './page-view.ts'

const snapshotChange = (id: string, fields: typeof ada | null) => ({
  id,
  document: fields && { id, ...fields },
})
const saved = (id: string, fields: typeof ada, after: string | null) => ({
  type: 'saved',
  document: { id, ...fields },
  after,
})
const done = (...written: RequestedWrite[]) => ({ ids: [], kept: [], written })
const nextTask = () => new Promise((resolve) => setTimeout(resolve))

describe('live: notifications of the page view', () => {
  let view: PageView
  let listener: { [call in keyof ChangeListener]: ReturnType<typeof vi.fn<ChangeListener[call]>> }
  const notifiedChanges = () => listener.onChanges.mock.calls.flatMap(([changes]) => changes)

  beforeEach(() => {
    view = new PageView()
    listener = { onChanges: vi.fn(), onStale: vi.fn(), onConnectionChange: vi.fn(), onSessionEnded: vi.fn() }
    view.reset([{ id: '1', ...ada }])
    view.subscribe(listener)
  })

  test('notifies of each change together with the id before it', () => {
    view.applySnapshotChanges([snapshotChange('2', grace), snapshotChange('1', null)])
    expect(notifiedChanges()).toEqual([saved('2', grace, '1'), { type: 'removed', id: '1' }])
  })

  test('notifies a new subscriber of earlier changes', async () => {
    const unobserved = new PageView()
    unobserved.reset([])
    unobserved.applySnapshotChanges([snapshotChange('1', ada)])
    unobserved.subscribe(listener)
    await nextTask()
    expect(notifiedChanges()).toEqual([saved('1', ada, null)])
  })

  test.each<[string, RequestedWrite, Parameters<PageView['applySnapshotChanges']>[0], unknown[]]>([
    [
      'our own write once, although its snapshot arrives before its response',
      ['1', grace],
      [snapshotChange('1', grace)],
      [saved('1', grace, null)],
    ],
    [
      'another client’s later write again that arrived before our response',
      ['1', grace],
      [snapshotChange('1', grace), snapshotChange('1', renamed('Ada'))],
      [saved('1', grace, null), ...Array(2).fill(saved('1', renamed('Ada'), null))],
    ],
    [
      'the removal of our new record again that arrived before our response',
      ['2', grace],
      [snapshotChange('2', grace), snapshotChange('2', null)],
      [saved('2', grace, '1'), ...Array(2).fill({ type: 'removed', id: '2' })],
    ],
    [
      'no removal of our new record whose snapshot arrives after the response',
      ['2', grace],
      [snapshotChange('1', null)],
      [{ type: 'removed', id: '1' }],
    ],
  ])('notifies of %s', async (_, requested, meanwhile, expected) => {
    await view.trackWrite(requested, async () => {
      for (const change of meanwhile) view.applySnapshotChanges([change])
    })
    await nextTask()
    expect(notifiedChanges()).toEqual(expected)
  })

  describe('when no snapshot shows our write', () => {
    const confirmWrites = () => view.confirmWrites(view.unconfirmedWrites())

    test.each([
      ['an add that was undone', ['2', grace], { type: 'removed', id: '2' }],
      ['a removal that was undone', ['1', null], saved('1', ada, null)],
      ['an update that was undone', ['1', grace], saved('1', ada, null)],
    ] as [string, RequestedWrite, unknown][])('notifies of %s', async (_, requested, change) => {
      await view.trackWrite(requested, async () => {})
      await nextTask()
      expect(notifiedChanges()).toEqual([])
      confirmWrites()
      expect(notifiedChanges()).toEqual([change])
      confirmWrites()
      expect(notifiedChanges()).toHaveLength(1)
    })

    test('does not notify of a write that a snapshot has shown, or of a later one of the same record', async () => {
      await view.trackWrite(['1', grace], async () => {})
      const earlier = view.unconfirmedWrites()
      await view.trackWrite(['1', ada], async () => view.applySnapshotChanges([snapshotChange('1', grace)]))
      view.applySnapshotChanges([snapshotChange('1', ada)])
      expect(view.unconfirmedWrites()).toEqual([])
      await view.trackWrite(['1', grace], async () => {})
      await nextTask()
      const count = notifiedChanges().length
      view.confirmWrites(earlier)
      expect(notifiedChanges()).toHaveLength(count)
    })

    test('notifies of it, also after a batch', async () => {
      await view.trackBatch(async () => done(['2', grace]))
      confirmWrites()
      await nextTask()
      expect(notifiedChanges()).toEqual([{ type: 'removed', id: '2' }])
    })
  })

  test('does not use a removed record as a predecessor', async () => {
    await view.trackWrite(['1', null], async () => {})
    expect(view.previousId('2')).toBe(null)
  })

  test('does not notify during a batch; then notifies of other changes only', async () => {
    await view.trackBatch(async () => {
      view.applySnapshotChanges([snapshotChange('2', grace), snapshotChange('1', null)])
      return done(['2', grace])
    })
    expect(notifiedChanges()).toEqual([])
    await nextTask()
    expect(notifiedChanges()).toEqual([{ type: 'removed', id: '1' }])
  })

  test('notifies of the completed part of a failed batch', async () => {
    const failed = view.trackBatch(async () => {
      view.applySnapshotChanges([snapshotChange('2', grace)])
      throw new Error('offline')
    })
    await expect(failed).rejects.toThrow('offline')
    await nextTask()
    expect(notifiedChanges()).toEqual([saved('2', grace, '1')])
  })

  test('reports a stale list after too many changes at once', () => {
    view.applySnapshotChanges(Array.from({ length: 1_001 }, (_, i) => snapshotChange(`2-${i}`, grace)))
    expect(listener.onStale).toHaveBeenCalledTimes(1)
    expect(notifiedChanges()).toEqual([])
  })
})

test('previousId returns the greatest smaller id after any sequence of adds and removals', () => {
  const step = fc.record({
    isAdded: fc.boolean(),
    id: fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 3 }),
  })
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ maxLength: 2 })), fc.array(step), (start, steps) => {
      const ids = new OrderedIds()
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
