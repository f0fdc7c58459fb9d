import { useDispatch, useSelector, useStore } from 'react-redux'
import type { Store } from './store.ts'

type State = ReturnType<Store['getState']>

export const useAppDispatch = useDispatch.withTypes<Store['dispatch']>()
export const useAppSelector = useSelector.withTypes<State>()
/** Lets event handlers read the current state without a re-render on each change. */
export const useAppStore = useStore.withTypes<Store>()
