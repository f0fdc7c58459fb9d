import { expect, test } from 'vitest'
import type { Employee } from '../../../contract/employees.ts'
import type { DocumentStore } from '../../backends/ports.ts'
import { makeStore } from '../../store.ts'
import { fetchBooks } from './book-slice.ts'

const all = ['a', 'b', 'c'].map((id) => ({ id, eName: id, email: 'x@example.com', password: 'x' }))

/** A store with a list that delivers its first records at once, and all of them when `arrive` is called. */
function createStoreWith(book: Employee[]) {
  let arrive = () => {}
  const arrived = new Promise<Employee[]>((resolve) => {
    arrive = () => resolve(all)
  })
  let hasContinued = false
  const list: DocumentStore['list'] = async (onFirst) => {
    await onFirst?.(all.slice(0, 2))
    hasContinued = true
    return arrived
  }
  const store = makeStore({ list } as DocumentStore)
  if (book.length > 0) store.dispatch({ type: fetchBooks.fulfilled.type, payload: book, meta: {} })
  return { store, arrive: () => arrive(), hasContinued: () => hasContinued }
}

test('the first records are in the state while the rest is being read, and loading stays true', async () => {
  const { store, arrive } = createStoreWith([])
  const reading = store.dispatch(fetchBooks())
  expect(store.getState()).toEqual({ book: all.slice(0, 2), loading: true, error: null })
  arrive()
  await reading
  expect(store.getState()).toEqual({ book: all, loading: false, error: null })
})

test('the current records stay in the state while the list is being reloaded', async () => {
  const { store, arrive } = createStoreWith(all)
  const reading = store.dispatch(fetchBooks())
  expect(store.getState().book).toBe(all)
  arrive()
  await reading
  expect(store.getState().book).toEqual(all)
})

test('the rest is not read before the page can show the first records', async () => {
  const { store, arrive, hasContinued } = createStoreWith([])
  let showPage = () => {}
  const pageReady = new Promise<void>((resolve) => {
    showPage = resolve
  })
  const reading = store.dispatch(fetchBooks(pageReady))
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(hasContinued()).toBe(false)
  showPage()
  arrive()
  await reading
  expect(hasContinued()).toBe(true)
})
