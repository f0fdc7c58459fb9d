import { describe, expect, test } from 'vitest'
import { pickFields } from '../../../contract/employees.ts'
import { ada as fields, grace as otherFields, renamed } from '../../../tests/support/people.ts'
import type { DocumentStore } from '../../backends/ports.ts'
import { ServiceError } from '../../backends/ports.ts'
import { makeStore } from '../../store.ts'
import {
  addEmployee,
  type BookState,
  bookChanged,
  deleteEmployee,
  fetchBooks,
  restoreEmployee,
  updateEmployee,
  writeBatch,
} from './book-slice.ts'

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

const refusal = new ServiceError('not-found', 'This record no longer exists.')
type Dispatch = ReturnType<typeof makeStore>['dispatch']

const operations = [
  ['fetch', 'list', (dispatch: Dispatch) => dispatch(fetchBooks())],
  ['add', 'add', (dispatch: Dispatch) => dispatch(addEmployee({ fields, key: 'k' }))],
  ['update', 'update', (dispatch: Dispatch) => dispatch(updateEmployee({ employee: ada, before: ada }))],
  ['delete', 'remove', (dispatch: Dispatch) => dispatch(deleteEmployee('a'))],
  ['restore', 'restore', (dispatch: Dispatch) => dispatch(restoreEmployee(ada))],
  [
    'batch',
    'writeBatch',
    (dispatch: Dispatch) =>
      dispatch(writeBatch({ batch: { add: [fields], update: [], remove: [] }, key: 'k' })),
  ],
] as const

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
    operation(store.dispatch)
    expect(store.getState()).toEqual({ book, loading: true, error: null })
  })

  test('4 rejected: loading is false, the error is set to the message, the book is unchanged', async () => {
    const store = storeWith({ [method]: () => Promise.reject(refusal) })
    const { book } = store.getState()
    await operation(store.dispatch)
    expect(store.getState()).toEqual({ book, loading: false, error: refusal.message })
    expect(store.getState().book).toBe(book)
  })
})

describe('4 fulfilled: loading is false, no error, and', () => {
  async function runOperation(
    methods: Partial<DocumentStore>,
    operation: (dispatch: Dispatch) => Promise<unknown>,
    book?: BookState['book'],
  ) {
    const store = storeWith(methods, book)
    await operation(store.dispatch)
    const state = store.getState()
    expect({ loading: state.loading, error: state.error }).toEqual({ loading: false, error: null })
    return state.book
  }

  test('4 fetch replaces the list with all records', async () => {
    expect(
      await runOperation({ list: async () => [grace] }, (dispatch) => dispatch(fetchBooks()), [ada]),
    ).toEqual([grace])
  })

  test('4 add appends the new record, including its id', async () => {
    const book = await runOperation({ add: async () => 'new' }, (dispatch) =>
      dispatch(addEmployee({ fields, key: 'k' })),
    )
    expect(book).toEqual([ada, grace, { id: 'new', ...fields }])
  })

  test('4 update replaces the matching record', async () => {
    const changed = renamed('Ada King', ada)
    const merged = { ...pickFields(changed), password: 'theirs' }
    const book = await runOperation({ update: async () => merged }, (dispatch) =>
      dispatch(updateEmployee({ employee: changed, before: ada })),
    )
    expect(book).toEqual([{ id: 'a', ...merged }, grace])
  })

  test('4 delete removes the record with that id', async () => {
    expect(
      await runOperation({ remove: async () => {} }, (dispatch) => dispatch(deleteEmployee('a'))),
    ).toEqual([grace])
  })

  test('a batch adds, updates and removes in one step', async () => {
    const changed = renamed('Ada King', ada)
    const { id: _, ...king } = changed
    const batch = { add: [fields], update: [{ seen: ada, fields: king }], remove: [grace] }
    const book = await runOperation({ writeBatch: async () => ({ ids: ['new'], kept: [] }) }, (dispatch) =>
      dispatch(writeBatch({ batch, key: 'k' })),
    )
    expect(book).toEqual([changed, { id: 'new', ...fields }])
  })

  test('restore inserts the record in its position', async () => {
    const book = await runOperation(
      { restore: async () => null },
      (dispatch) => dispatch(restoreEmployee(ada)),
      [grace],
    )
    expect(book).toEqual([ada, grace])
  })
})

test('7 update sends only the three fields', async () => {
  const sent: unknown[] = []
  const store = storeWith({
    update: async (...args) => {
      sent.push(args)
      return args[1]
    },
  })
  const changed = { ...ada, eName: 'Ada King', extra: 'not this' }
  await store.dispatch(updateEmployee({ employee: changed, before: ada }))
  expect(sent).toEqual([['a', renamed('Ada King', fields), ada]])
})

test('an add that may have succeeded before updates its record instead of duplicating it', async () => {
  const sent: unknown[] = []
  const store = storeWith({
    add: async () => 'a',
    update: async (...args) => {
      sent.push(args)
      return args[1]
    },
  })
  const changed = renamed('Ada King', fields)
  await store.dispatch(addEmployee({ fields: changed, key: 'k', mayExist: true }))
  expect(sent).toEqual([['a', changed]])
  expect(store.getState().book).toEqual([{ id: 'a', ...changed }, grace])
})

test('an add that had succeeded with other fields updates its record, and is refused if it was new', async () => {
  const sent: unknown[] = []
  const store = storeWith({
    add: () => Promise.reject(new ServiceError('key-reused', 'Reused.', { id: 'a' })),
    update: async (...args) => {
      sent.push(args)
      return args[1]
    },
  })
  const changed = renamed('Ada King', fields)
  await store.dispatch(addEmployee({ fields: changed, key: 'k', mayExist: true }))
  expect(sent).toEqual([['a', changed]])
  expect(store.getState()).toMatchObject({ book: [{ id: 'a', ...changed }, grace], error: null })
  await store.dispatch(addEmployee({ fields, key: 'k' }))
  expect(store.getState()).toMatchObject({ book: [{ id: 'a', ...changed }, grace], error: 'Reused.' })
})

test('an add that had succeeded restores its record if that was deleted since', async () => {
  const restored: unknown[] = []
  const store = storeWith({
    add: async () => 'x',
    update: () => Promise.reject(refusal),
    restore: async (employee) => {
      restored.push(employee)
      return 'g'
    },
  })
  await store.dispatch(addEmployee({ fields, key: 'k', mayExist: true }))
  expect(restored).toEqual([{ id: 'x', ...fields }])
  expect(store.getState()).toMatchObject({ book: [ada, grace, { id: 'x', ...fields }], error: null })
})

test('changes from others affect neither loading nor error', () => {
  const store = storeWith({})
  const before = store.getState()
  store.dispatch(bookChanged([{ type: 'removed', id: 'a' }]))
  expect(store.getState()).toEqual({ ...before, book: [grace] })
})

test('the event of an own change returns the same state object', () => {
  const store = storeWith({})
  const before = store.getState()
  store.dispatch(bookChanged([{ type: 'saved', document: { ...grace }, after: 'a' }]))
  expect(store.getState()).toBe(before)
})
