import { expect, test } from 'vitest'
import type { Employee } from '../../../contract/employees.ts'
import type { DocumentStore } from '../../backends/ports.ts'
import { makeStore } from '../../store.ts'
import { fetchBooks } from './book-slice.ts'

const all = ['a', 'b', 'c'].map((id) => ({ id, eName: id, email: 'x@example.com', password: 'x' }))

/** A store whose list tells its first records at once, and all of them when `arrive` is called. */
function storeOf(book: Employee[]) {
  let arrive = () => {}
  const arrived = new Promise<Employee[]>((resolve) => {
    arrive = () => resolve(all)
  })
  let isReadOn = false
  const list: DocumentStore['list'] = async (onFirst) => {
    await onFirst?.(all.slice(0, 2))
    isReadOn = true
    return arrived
  }
  const store = makeStore({ list } as DocumentStore)
  if (book.length > 0) store.dispatch({ type: fetchBooks.fulfilled.type, payload: book, meta: {} })
  return { store, arrive: () => arrive(), isReadOn: () => isReadOn }
}

test('big: the first records are in the state while the others are on their way, and loading stays true', async () => {
  const { store, arrive } = storeOf([])
  const reading = store.dispatch(fetchBooks())
  expect(store.getState()).toEqual({ book: all.slice(0, 2), loading: true, error: null })
  arrive()
  await reading
  expect(store.getState()).toEqual({ book: all, loading: false, error: null })
})

test('big: a list that is read again never shrinks to its beginning meanwhile', async () => {
  const { store, arrive } = storeOf(all)
  const reading = store.dispatch(fetchBooks())
  expect(store.getState().book).toBe(all)
  arrive()
  await reading
  expect(store.getState().book).toEqual(all)
})

test('big: the rest is not read before there is a page on which the first are seen', async () => {
  const { store, arrive, isReadOn } = storeOf([])
  let show = () => {}
  const shown = new Promise<void>((resolve) => {
    show = resolve
  })
  const reading = store.dispatch(fetchBooks(shown))
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(isReadOn()).toBe(false)
  show()
  arrive()
  await reading
  expect(isReadOn()).toBe(true)
})
