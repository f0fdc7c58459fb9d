import { expect, test } from 'vitest'
import type { Employee } from '../../../../contract/employees.ts'
import { named } from '../../../../tests/support/people.ts'
import type { DocumentStore } from '../../../backends/ports.ts'
import { fetchBooks, type Outcome, sendOperation } from './book-slice.ts'
import { makeStore } from './store.ts'

const all = ['a', 'b', 'c'].map((id) => ({ id, ...named(id) }))

/** A store with a list that delivers its first records at once, and all of them when `arrive` is called. */
function createStoreWith(book: Employee[]) {
  const { promise: arrived, resolve } = Promise.withResolvers<Employee[]>()
  let hasContinued = false
  const list: DocumentStore['list'] = async (onPart) => {
    await onPart?.(all.slice(0, 1), all.length)
    await onPart?.(all.slice(1, 2), all.length)
    hasContinued = true
    return arrived
  }
  const store = makeStore({ list } as DocumentStore)
  if (book.length > 0) store.dispatch({ type: fetchBooks.fulfilled.type, payload: book, meta: {} })
  return { store, arrive: () => resolve(all), hasContinued: () => hasContinued }
}

test('the first records are in the state while the rest is being read, and loading stays true', async () => {
  const { store, arrive } = createStoreWith([])
  const totals: number[] = []
  const reading = store.dispatch(fetchBooks({ onTotal: (total) => void totals.push(total) }))
  expect(store.getState()).toEqual({ book: all.slice(0, 1), loading: true, error: null })
  await expect.poll(store.getState).toEqual({ book: all.slice(0, 2), loading: true, error: null })
  expect(totals).toEqual([3, 3])
  arrive()
  await reading
  expect(store.getState()).toEqual({ book: all, loading: false, error: null })
})

test('own changes to records that have arrived stay while the rest is being read', async () => {
  const { store, arrive } = createStoreWith([])
  const reading = store.dispatch(fetchBooks())
  const own = { id: 'own', ...named('own') }
  const outcomes: Outcome[] = [
    { type: 'removed', id: 'a' },
    { type: 'added', document: own },
  ]
  for (const payload of outcomes) store.dispatch({ type: sendOperation.fulfilled.type, payload, meta: {} })
  await expect.poll(() => store.getState().book).toEqual([own, all[1]])
  arrive()
  await reading
})

test('the current records stay in the state while the list is being reloaded', async () => {
  const { store, arrive } = createStoreWith(all)
  const reading = store.dispatch(fetchBooks({ isReload: true }))
  expect(store.getState().book).toBe(all)
  arrive()
  await reading
  expect(store.getState().book).toEqual(all)
})

test('the rest is not read before the page can show the first records', async () => {
  const { store, arrive, hasContinued } = createStoreWith([])
  const { promise: pageReady, resolve: showPage } = Promise.withResolvers<void>()
  const reading = store.dispatch(fetchBooks({ pageReady }))
  await new Promise((resolve) => setTimeout(resolve))
  expect(hasContinued()).toBe(false)
  showPage()
  arrive()
  await reading
  expect(hasContinued()).toBe(true)
})
