import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { Employee } from '../../contract/employees.ts'
import { bookChanged, bookReducer } from '../../web/records/book-slice.ts'
import { median } from './figures.ts'
import { recordAt } from './register.ts'

const changes = 51

/** Milliseconds for one changed record among so many, the median of changes all over the book. */
export function measureReducer(count: number): { plain: number; immer: number } {
  const book = Array.from({ length: count }, (_, index) => ({ id: `id-${index}`, ...recordAt(index) }))
  const state = { book, loading: false, error: null }
  const slice = createSlice({
    name: 'book',
    initialState: { book: [] as Employee[], loading: false, error: null as string | null },
    reducers: {
      changed(draft, { payload }: PayloadAction<Employee>) {
        draft.book = draft.book.map((employee) => (employee.id === payload.id ? payload : employee))
      },
    },
  })
  return {
    plain: timeEach(count, (document) => {
      bookReducer(state, bookChanged([{ type: 'saved', document, after: null }]))
    }),
    immer: timeEach(count, (document) => {
      slice.reducer(state, slice.actions.changed(document))
    }),
  }
}

function timeEach(count: number, change: (document: Employee) => void): number {
  const times = Array.from({ length: changes }, (_, index) => {
    const place = Math.floor((index * count) / changes)
    const document = { id: `id-${place}`, ...recordAt(place), eName: 'changed' }
    const start = performance.now()
    change(document)
    return performance.now() - start
  })
  return median(times)
}
