import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Employee } from '../../../contract/employees.ts'
import type { ChangeListener } from '../ports.ts'
import { PageView } from './page-view.ts'

const ada = { eName: 'Ada Lovelace', email: 'ada@example.com', password: 'analytical engine' }
const grace = { eName: 'Grace Hopper', email: 'grace@example.com', password: 'nanoseconds' }

const snapshotChange = (id: string, fields: typeof ada | null) => ({
  id,
  document: fields && { id, ...fields },
})
const saved = (id: string, fields: typeof ada, after: string | null) => ({
  type: 'saved',
  document: { id, ...fields },
  after,
})
const nextTask = () => new Promise((resolve) => setTimeout(resolve))

describe('live: what the page is told', () => {
  let view: PageView
  let listener: { [call in keyof ChangeListener]: ReturnType<typeof vi.fn<ChangeListener[call]>> }
  const notifiedChanges = () => listener.onChanges.mock.calls.flatMap(([changes]) => changes)

  beforeEach(() => {
    view = new PageView()
    listener = { onChanges: vi.fn(), onStale: vi.fn(), onConnectionChange: vi.fn(), onSessionEnded: vi.fn() }
    view.reset([{ id: '1', ...ada }])
    view.subscribe(listener)
  })

  test('each change, with the record before it', () => {
    view.applySnapshotChanges([snapshotChange('2', grace), snapshotChange('1', null)])
    expect(notifiedChanges()).toEqual([saved('2', grace, '1'), { type: 'removed', id: '1' }])
  })

  test('what was shown before anybody watched is told to whom watches', async () => {
    const unobserved = new PageView()
    unobserved.reset([])
    unobserved.applySnapshotChanges([snapshotChange('1', ada)])
    unobserved.subscribe(listener)
    await nextTask()
    expect(notifiedChanges()).toEqual([saved('1', ada, null)])
  })

  test('our own write is not told again where Firestore shows it before it answers', async () => {
    await view.trackWrite(['1', grace], async () => view.applySnapshotChanges([snapshotChange('1', grace)]))
    await nextTask()
    expect(notifiedChanges()).toEqual([saved('1', grace, null)])
  })

  test('a colleague’s later write has the last word, though our answer comes after it', async () => {
    await view.trackWrite(['1', grace], async () =>
      view.applySnapshotChanges([snapshotChange('1', grace), snapshotChange('1', { ...ada, eName: 'Ada' })]),
    )
    await nextTask()
    expect(notifiedChanges().at(-1)).toEqual(saved('1', { ...ada, eName: 'Ada' }, null))
    expect(listener.onChanges).toHaveBeenCalledTimes(2)
  })

  test('a record that is shown and taken out again before our answer has the last word too', async () => {
    await view.trackWrite(['2', grace], async () => {
      view.applySnapshotChanges([snapshotChange('2', grace)])
      view.applySnapshotChanges([snapshotChange('2', null)])
    })
    await nextTask()
    expect(notifiedChanges().slice(2)).toEqual([{ type: 'removed', id: '2' }])
  })

  test('a new record that is not shown yet when our answer comes is not told as removed', async () => {
    await view.trackWrite(['2', grace], async () => view.applySnapshotChanges([snapshotChange('1', null)]))
    await nextTask()
    expect(notifiedChanges()).toEqual([{ type: 'removed', id: '1' }])
  })

  test('a record that the answer to a write has taken out stands before none', () => {
    view.recordPresence('1', false)
    expect(view.recordPresence('2', true)).toBe(null)
  })

  test('while a batch is written nothing is told; then what others did, without what was asked for', async () => {
    const asked: [string, Employee][] = [['2', { id: '2', ...grace }]]
    await view.trackBatch(asked, async () =>
      view.applySnapshotChanges([snapshotChange('2', grace), snapshotChange('1', null)]),
    )
    expect(notifiedChanges()).toEqual([])
    await nextTask()
    expect(notifiedChanges()).toEqual([{ type: 'removed', id: '1' }])
  })

  test('of a batch that broke off, what was written is told', async () => {
    const broken = view.trackBatch([['2', grace]], async () => {
      view.applySnapshotChanges([snapshotChange('2', grace)])
      throw new Error('offline')
    })
    await expect(broken).rejects.toThrow('offline')
    await nextTask()
    expect(notifiedChanges()).toEqual([saved('2', grace, '1')])
  })

  test('too many changes at once: the list is to be read again', () => {
    view.applySnapshotChanges(Array.from({ length: 1_001 }, (_, i) => snapshotChange(`2-${i}`, grace)))
    expect(listener.onStale).toHaveBeenCalledTimes(1)
    expect(notifiedChanges()).toEqual([])
  })
})
