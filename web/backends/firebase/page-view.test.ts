import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Employee } from '../../../contract/employees.ts'
import type { Observer } from '../ports.ts'
import { createView, type View } from './page-view.ts'

const ada = { eName: 'Ada Lovelace', email: 'ada@example.com', password: 'analytical engine' }
const grace = { eName: 'Grace Hopper', email: 'grace@example.com', password: 'nanoseconds' }

const shown = (id: string, fields: typeof ada | null) => ({ id, document: fields && { id, ...fields } })
const saved = (id: string, fields: typeof ada, after: string | null) => ({
  type: 'saved',
  document: { id, ...fields },
  after,
})
const aTask = () => new Promise((resolve) => setTimeout(resolve))

describe('live: what the page is told', () => {
  let view: View
  let observer: { [call in keyof Observer]: ReturnType<typeof vi.fn<Observer[call]>> }
  const told = () => observer.changed.mock.calls.flatMap(([changes]) => changes)

  beforeEach(() => {
    view = createView()
    observer = { changed: vi.fn(), stale: vi.fn(), connected: vi.fn(), ended: vi.fn() }
    view.reset([{ id: '1', ...ada }])
    view.observe(observer)
  })

  test('each change, with the record before it', () => {
    view.show([shown('2', grace), shown('1', null)])
    expect(told()).toEqual([saved('2', grace, '1'), { type: 'removed', id: '1' }])
  })

  test('what was shown before anybody watched is told to whom watches', async () => {
    const quiet = createView()
    quiet.reset([])
    quiet.show([shown('1', ada)])
    quiet.observe(observer)
    await aTask()
    expect(told()).toEqual([saved('1', ada, null)])
  })

  test('our own write is not told again where Firestore shows it before it answers', async () => {
    await view.around(['1', grace], async () => view.show([shown('1', grace)]))
    await aTask()
    expect(told()).toEqual([saved('1', grace, null)])
  })

  test('a colleague’s later write has the last word, though our answer comes after it', async () => {
    await view.around(['1', grace], async () =>
      view.show([shown('1', grace), shown('1', { ...ada, eName: 'Ada' })]),
    )
    await aTask()
    expect(told().at(-1)).toEqual(saved('1', { ...ada, eName: 'Ada' }, null))
    expect(observer.changed).toHaveBeenCalledTimes(2)
  })

  test('a record that is shown and taken out again before our answer has the last word too', async () => {
    await view.around(['2', grace], async () => {
      view.show([shown('2', grace)])
      view.show([shown('2', null)])
    })
    await aTask()
    expect(told().slice(2)).toEqual([{ type: 'removed', id: '2' }])
  })

  test('a new record that is not shown yet when our answer comes is not told as removed', async () => {
    await view.around(['2', grace], async () => view.show([shown('1', null)]))
    await aTask()
    expect(told()).toEqual([{ type: 'removed', id: '1' }])
  })

  test('a record that the answer to a write has taken out stands before none', () => {
    view.known('1', false)
    expect(view.known('2', true)).toBe(null)
  })

  test('while a batch is written nothing is told; then what others did, without what was asked for', async () => {
    const asked: [string, Employee][] = [['2', { id: '2', ...grace }]]
    await view.holding(asked, async () => view.show([shown('2', grace), shown('1', null)]))
    expect(told()).toEqual([])
    await aTask()
    expect(told()).toEqual([{ type: 'removed', id: '1' }])
  })

  test('of a batch that broke off, what was written is told', async () => {
    const broken = view.holding([['2', grace]], async () => {
      view.show([shown('2', grace)])
      throw new Error('offline')
    })
    await expect(broken).rejects.toThrow('offline')
    await aTask()
    expect(told()).toEqual([saved('2', grace, '1')])
  })

  test('too many changes at once: the list is to be read again', () => {
    view.show(Array.from({ length: 1_001 }, (_, i) => shown(`2-${i}`, grace)))
    expect(observer.stale).toHaveBeenCalledTimes(1)
    expect(told()).toEqual([])
  })
})
