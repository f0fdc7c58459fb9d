import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit'
import { describe, expect, test, vi } from 'vitest'
import { type Employee, fieldOf, mapFields, pickFields } from '../../../../contract/employees.ts'
import { ada as fields, grace as otherFields, renamed } from '../../../../tests/support/people.ts'
import type { DocumentStore } from '../../../backends/ports.ts'
import { ServiceError } from '../../../backends/ports.ts'
import { type BookState, bookChanged, fetchBooks, sendOperation } from './book-slice.ts'
import type { Operation } from './operation.ts'
import { makeStore } from './store.ts'

const ada = { id: 'a', ...fields }
const grace = { id: 'g', ...otherFields }

/** A store whose document store never responds, except for the given methods. */
function storeWith(methods: Partial<DocumentStore>, book = [ada, grace]) {
  const never = () => new Promise<never>(() => {})
  const documents: DocumentStore = {
    list: never,
    add: never,
    update: never,
    remove: never,
    restore: never,
    writeBatch: never,
    subscribe: () => () => {},
    ...methods,
  }
  const store = makeStore(documents)
  store.dispatch({ type: fetchBooks.fulfilled.type, payload: book, meta: {} })
  return store
}

/** An `update` that records what is sent. */
function recordUpdates() {
  const sent: unknown[] = []
  const update: DocumentStore['update'] = async (...args) => {
    sent.push(args)
    return args[1]
  }
  return { sent, update }
}

const refusal = new ServiceError('not-found', 'This record no longer exists.')
const adaKing = renamed('Ada King', ada)
const batch = { add: [fields], update: [{ seen: ada, fields: pickFields(adaKing) }], remove: [grace] }

type Thunk = ThunkAction<Promise<unknown>, BookState, DocumentStore, UnknownAction>

const send = (operation: Operation) => sendOperation({ operation, key: 'entry' })

const operations: [string, keyof DocumentStore, Thunk][] = [
  ['fetch', 'list', fetchBooks()],
  ['add', 'add', send({ kind: 'add', fields, key: 'k' })],
  ['update', 'update', send({ kind: 'update', employee: adaKing, before: ada })],
  ['delete', 'remove', send({ kind: 'remove', employee: ada })],
  ['restore', 'restore', send({ kind: 'restore', employee: ada })],
  ['batch', 'writeBatch', send({ kind: 'import', batch, key: 'k' })],
]

test('3 the client state is exactly book, loading and error', () => {
  const state = makeStore({} as DocumentStore).getState()
  expect(state).toEqual({ book: [], loading: false, error: null })
})

describe.each(operations)('4 %s', (_name, method, operation) => {
  test('4 pending: loading is true, the previous error is cleared, the book is unchanged', () => {
    const store = storeWith({})
    store.dispatch({ type: fetchBooks.rejected.type, error: { message: 'previous' }, meta: {} })
    expect(store.getState().error).toBe('previous')
    const { book } = store.getState()
    void store.dispatch(operation)
    expect(store.getState()).toEqual({ book, loading: true, error: null })
  })

  test('4 rejected: loading is false, the error is set to the message, the book is unchanged', async () => {
    const store = storeWith({ [method]: () => Promise.reject(refusal) })
    const { book } = store.getState()
    await store.dispatch(operation)
    expect(store.getState()).toEqual({ book, loading: false, error: refusal.message })
    expect(store.getState().book).toBe(book)
  })
})

describe('4 fulfilled: loading is false, no error, and', () => {
  async function expectBook(
    expected: Employee[],
    methods: Partial<DocumentStore>,
    operation: Thunk,
    book?: Employee[],
  ) {
    const store = storeWith(methods, book)
    await store.dispatch(operation)
    expect(store.getState()).toEqual({ book: expected, loading: false, error: null })
  }
  const added = { id: 'new', ...fields }

  test('4 fetch replaces the list with all records', () =>
    expectBook([grace], { list: async () => [grace] }, fetchBooks(), [ada]))

  test('4 add appends the new record, including its id', () =>
    expectBook([ada, grace, added], { add: async () => 'new' }, send({ kind: 'add', fields, key: 'k' })))

  test('4 update replaces the matching record', () => {
    const merged = { ...adaKing, password: 'theirs' }
    const update = async () => pickFields(merged)
    return expectBook([merged, grace], { update }, send({ kind: 'update', employee: adaKing, before: ada }))
  })

  test('4 delete removes the record with that id', () =>
    expectBook([grace], { remove: async () => {} }, send({ kind: 'remove', employee: ada })))

  test('a batch adds, updates and removes in one step', () => {
    const methods = { writeBatch: async () => ({ ids: ['new'], kept: [] }) }
    return expectBook([adaKing, added], methods, send({ kind: 'import', batch, key: 'k' }))
  })

  test('restore inserts the record in its position', () =>
    expectBook(
      [ada, grace],
      { restore: async (document) => ({ document, after: null }) },
      send({ kind: 'restore', employee: ada }),
      [grace],
    ))
})

test('7 update sends only the three fields', async () => {
  const { sent, update } = recordUpdates()
  const changed = { ...adaKing, extra: 'not this' }
  await storeWith({ update }).dispatch(send({ kind: 'update', employee: changed, before: ada }))
  expect(sent).toEqual([['a', pickFields(adaKing), ada, 'entry']])
})

test.each([
  ['of a deletion', undefined, ada],
  ['of an edit', grace, grace],
])(
  'a restore %s names the record as its author saw it, and shows it as it was restored',
  async (_, before, seen) => {
    const restore = vi.fn<DocumentStore['restore']>(async () => ({ document: adaKing, after: null }))
    const store = storeWith({ restore }, [grace])
    await store.dispatch(send({ kind: 'restore', employee: ada, ...(before && { before }) }))
    expect(restore).toHaveBeenCalledExactlyOnceWith(ada, seen, 'entry')
    expect(store.getState().book).toEqual([adaKing, grace])
  },
)

const reused = new ServiceError('key-reused', 'Reused.', { id: 'a' })

const edited = { mayExist: true, sent: [{ ...fields, key: 'edit' }] } as const

test('an add that has succeeded with other fields updates its record instead of duplicating it', async () => {
  const { sent, update } = recordUpdates()
  const add = vi.fn<DocumentStore['add']>(() => Promise.reject(reused))
  const store = storeWith({ add, update: vi.fn(update).mockResolvedValueOnce(fields) })
  const changed = pickFields(adaKing)
  await store.dispatch(send({ kind: 'add', fields: changed, key: 'k', ...edited }))
  const seen = mapFields((name) => fieldOf(fields, name))
  expect(add).toHaveBeenCalledExactlyOnceWith(changed, 'k', 'edit')
  expect(sent.at(-1)).toEqual(['a', changed, seen, 'edit'])
  expect(store.getState()).toMatchObject({ book: [adaKing, grace], error: null })
})

test('an add is refused if its key was used for other fields', async () => {
  const store = storeWith({ add: () => Promise.reject(reused) })
  await store.dispatch(send({ kind: 'add', fields, key: 'k' }))
  expect(store.getState()).toMatchObject({ book: [ada, grace], error: 'Reused.' })
})

test('an add that has succeeded as it is now updates nothing', async () => {
  const { sent, update } = recordUpdates()
  const store = storeWith({ add: async () => 'x', update })
  const changed = pickFields(adaKing)
  await store.dispatch(send({ kind: 'add', fields: changed, key: 'k', ...edited }))
  expect(sent).toEqual([])
  expect(store.getState()).toMatchObject({ book: [ada, grace, { id: 'x', ...changed }], error: null })
})

test('an add that had succeeded with other fields restores its record if that was deleted since', async () => {
  const restore = vi.fn<DocumentStore['restore']>(async (document) => ({ document, after: 'g' }))
  const update = vi.fn(recordUpdates().update).mockRejectedValueOnce(refusal)
  const other = new ServiceError('key-reused', 'Reused.', { id: 'x' })
  const store = storeWith({ add: () => Promise.reject(other), update, restore })
  await store.dispatch(send({ kind: 'add', fields, key: 'k', ...edited }))
  const restored = { id: 'x', ...fields }
  expect(restore).toHaveBeenCalledExactlyOnceWith(restored, fields, 'edit')
  expect(store.getState()).toMatchObject({ book: [ada, grace, restored], error: null })
})

test('changes from others affect neither loading nor error, and the event of an own change nothing', () => {
  const store = storeWith({})
  const before = store.getState()
  store.dispatch(bookChanged([{ type: 'saved', document: { ...grace }, after: 'a' }]))
  expect(store.getState()).toBe(before)
  store.dispatch(bookChanged([{ type: 'removed', id: 'a' }]))
  expect(store.getState()).toEqual({ ...before, book: [grace] })
})

test('an answer that arrives when its user has left changes no record that somebody else sees', async () => {
  const store = storeWith({ add: async () => 'late' })
  const { book } = store.getState()
  const operation = { kind: 'add', fields, key: 'k' } as const
  const sending = store.dispatch(sendOperation({ operation, isWanted: () => false }))
  await expect(sending.unwrap()).rejects.toMatchObject({ code: 'not-signed-in' })
  expect(store.getState().book).toEqual(book)
})
