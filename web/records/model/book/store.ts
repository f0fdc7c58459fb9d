import { configureStore } from '@reduxjs/toolkit'
import { useDispatch, useSelector, useStore } from 'react-redux'
import type { DocumentStore } from '../../../backends/ports.ts'
import { bookReducer } from './book-slice.ts'

/** Creates the store, whose state is exactly `{book, loading, error}`. Its thunks use the given document store. */
export function makeStore(documents: DocumentStore) {
  return configureStore({
    reducer: bookReducer,
    middleware: (defaults) =>
      defaults({
        thunk: { extraArgument: documents },
        // These development checks traverse the whole list on each dispatch: 1 to 2 s with 100,000 records.
        immutableCheck: false,
        serializableCheck: false,
      }),
  })
}

export type Store = ReturnType<typeof makeStore>

type State = ReturnType<Store['getState']>

export const useAppDispatch = useDispatch.withTypes<Store['dispatch']>()
export const useAppSelector = useSelector.withTypes<State>()
/** Lets event handlers read the current state without a re-render on each change. */
export const useAppStore = useStore.withTypes<Store>()
