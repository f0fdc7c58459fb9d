import { useDispatch, useSelector, useStore } from 'react-redux'
import type { Store } from './store.ts'

type State = ReturnType<Store['getState']>

export const useAppDispatch = useDispatch.withTypes<Store['dispatch']>()
export const useAppSelector = useSelector.withTypes<State>()
/** For code that reads the state when something happens, without rendering again at each change. */
export const useAppStore = useStore.withTypes<Store>()
