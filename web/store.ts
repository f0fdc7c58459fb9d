import { configureStore } from '@reduxjs/toolkit'
import type { DocumentStore } from './backends/ports.ts'
import { bookReducer } from './records/sync/book-slice.ts'

/** The store, whose state is exactly `{book, loading, error}`; its thunks talk to the document store it is handed. */
export function makeStore(documents: DocumentStore) {
  return configureStore({
    reducer: bookReducer,
    middleware: (defaults) =>
      defaults({
        thunk: { extraArgument: documents },
        // These development checks walk the whole list on each dispatch: 1 to 2 s at 100,000 records.
        immutableCheck: false,
        serializableCheck: false,
      }),
  })
}

export type Store = ReturnType<typeof makeStore>
