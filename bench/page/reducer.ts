import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { Employee } from '../../contract/employees.ts'
import type { Change } from '../../contract/protocol.ts'
import { bookChanged, bookReducer } from '../../web/records/model/book/book-slice.ts'
import { median } from '../statistics.ts'
import { employeeAt } from './seeded-server.ts'

const slice = createSlice({
  name: 'book',
  initialState: { book: [] as Employee[], loading: false, error: null as string | null },
  reducers: {
    changed(draft, { payload }: PayloadAction<Employee>) {
      draft.book = draft.book.map((employee) => (employee.id === payload.id ? payload : employee))
    },
  },
})

/** Medians in milliseconds, with `count` records: one change, and `changeCount` changes together and one by one. */
export function measureReducer(count: number, changeCount: number) {
  const book = Array.from({ length: count }, (_, i) => ({ id: `id-${i}`, ...employeeAt(i) }))
  const state = { book, loading: false, error: null }
  const createChanges = (changes: number) =>
    Array.from({ length: changes }, (_, i): Change & { document: Employee } => {
      const index = Math.floor((i * count) / changes)
      const document = { id: `id-${index}`, ...employeeAt(index), eName: 'changed' }
      return { type: 'saved', document, after: null }
    })
  const single = createChanges(51)
  const many = createChanges(changeCount)
  const repeat = (apply: () => void) => measureEach(Array.from({ length: 5 }), apply)
  return {
    handwritten: measureEach(single, (change) => bookReducer(state, bookChanged([change]))),
    immer: measureEach(single, ({ document }) => slice.reducer(state, slice.actions.changed(document))),
    batched: repeat(() => bookReducer(state, bookChanged(many))),
    oneByOne: repeat(() => many.map((change) => bookChanged([change])).reduce(bookReducer, state)),
  }
}

function measureEach<T>(items: T[], apply: (item: T) => unknown): number {
  return median(
    items.map((item) => {
      const startedAt = performance.now()
      apply(item)
      return performance.now() - startedAt
    }),
  )
}
