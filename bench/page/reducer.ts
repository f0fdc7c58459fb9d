import { type Action, createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { Employee } from '../../contract/employees.ts'
import type { Change } from '../../contract/protocol.ts'
import { bookChanged, bookReducer } from '../../web/records/sync/book-slice.ts'
import { median } from './figures.ts'
import { recordAt } from './register.ts'

const changes = 51

/** Milliseconds for so many changes of a book told at once, as after an import, and told one by one. */
export function measureTogether(count: number, told: number): { together: number; oneByOne: number } {
  const book = Array.from({ length: count }, (_, index) => ({ id: `id-${index}`, ...recordAt(index) }))
  const state = { book, loading: false, error: null }
  const news = Array.from({ length: told }, (_, index): Change => {
    const place = Math.floor((index * count) / told)
    return {
      type: 'saved',
      document: { id: `id-${place}`, ...recordAt(place), eName: 'changed' },
      after: null,
    }
  })
  const time = (actions: Action[]) => {
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now()
      actions.reduce(bookReducer, state)
      return performance.now() - start
    })
    return median(times)
  }
  return {
    together: time([bookChanged(news)]),
    oneByOne: time(news.map((change) => bookChanged([change]))),
  }
}

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
