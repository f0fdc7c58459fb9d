import { type Action, createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { Employee } from '../../contract/employees.ts'
import type { Change } from '../../contract/protocol.ts'
import { bookChanged, bookReducer } from '../../web/records/sync/book-slice.ts'
import { employeeAt } from './seeded-server.ts'
import { median } from './statistics.ts'

const sampleCount = 51

/** Milliseconds for so many changes of a book told at once, as after an import, and told one by one. */
export function measureBatchedChanges(
  count: number,
  changedCount: number,
): { batched: number; oneByOne: number } {
  const book = Array.from({ length: count }, (_, index) => ({ id: `id-${index}`, ...employeeAt(index) }))
  const state = { book, loading: false, error: null }
  const batchedChanges = Array.from({ length: changedCount }, (_, index): Change => {
    const place = Math.floor((index * count) / changedCount)
    return {
      type: 'saved',
      document: { id: `id-${place}`, ...employeeAt(place), eName: 'changed' },
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
    batched: time([bookChanged(batchedChanges)]),
    oneByOne: time(batchedChanges.map((change) => bookChanged([change]))),
  }
}

/** Milliseconds for one changed record among so many, the median of changes all over the book. */
export function measureReducer(count: number): { handwritten: number; immer: number } {
  const book = Array.from({ length: count }, (_, index) => ({ id: `id-${index}`, ...employeeAt(index) }))
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
    handwritten: timeChanges(count, (document) => {
      bookReducer(state, bookChanged([{ type: 'saved', document, after: null }]))
    }),
    immer: timeChanges(count, (document) => {
      slice.reducer(state, slice.actions.changed(document))
    }),
  }
}

function timeChanges(count: number, applyChange: (document: Employee) => void): number {
  const times = Array.from({ length: sampleCount }, (_, index) => {
    const place = Math.floor((index * count) / sampleCount)
    const document = { id: `id-${place}`, ...employeeAt(place), eName: 'changed' }
    const start = performance.now()
    applyChange(document)
    return performance.now() - start
  })
  return median(times)
}
