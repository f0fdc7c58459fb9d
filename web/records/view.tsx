import {
  createContext,
  type ReactNode,
  startTransition,
  use,
  useCallback,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import type { DroppedSource } from './import/source/parse-source.ts'

/** What gets the focus: the first field of the form, the search box, or the row of a record. */
export type FocusTarget =
  | { on: 'form' | 'search' }
  /** `ifHidden`: what happens if the record does not match the search, or does not exist yet. */
  | { on: 'row'; id: string; ifHidden: 'show all' | 'wait' | 'focus form' }

export type OpenDialog = { kind: 'import'; droppedSource: DroppedSource | null } | { kind: 'export' }

interface View {
  /** The last request to move the focus; each is a new object. */
  focusTarget: FocusTarget | null
  /** Whether the user has opened the form, on a narrow screen. */
  isFormOpen: boolean
  openDialog: OpenDialog | null
}

interface ViewActions {
  focus(target: FocusTarget): void
  focusForm(): void
  closeForm(): void
  /** Null closes the dialog. */
  setDialog(dialog: OpenDialog | null): void
}

const ViewContext = createContext<(View & ViewActions) | null>(null)

/** Stores what the parts of the page /form ask of each other. */
export function ViewProvider({ children }: { children: ReactNode }) {
  const [view, setView] = useState<View>({ focusTarget: null, isFormOpen: false, openDialog: null })
  const change = useCallback((part: Partial<View>) => setView((current) => ({ ...current, ...part })), [])
  const actions = useMemo(
    (): ViewActions => ({
      focus: (focusTarget) => change({ focusTarget }),
      focusForm: () => change({ isFormOpen: true, focusTarget: { on: 'form' } }),
      closeForm: () => change({ isFormOpen: false }),
      // In a transition, because its chunk may have to be loaded: see `OnDemand`.
      setDialog: (openDialog) => startTransition(() => change({ openDialog })),
    }),
    [change],
  )
  const value = useMemo(() => ({ ...view, ...actions }), [view, actions])
  return <ViewContext value={value}>{children}</ViewContext>
}

/** Returns the view and the actions that change it, which never change. */
export function useView(): View & ViewActions {
  const view = use(ViewContext)
  if (!view) throw new Error('A component that uses the view must be below a ViewProvider.')
  return view
}

/** Calls `moveFocus` once for each request to focus `on`, after the render that follows it. */
export function useFocusTarget<On extends FocusTarget['on']>(
  on: On,
  moveFocus: (target: Extract<FocusTarget, { on: On }>) => void,
): void {
  const { focusTarget } = useView()
  const handle = useEffectEvent(moveFocus)
  useLayoutEffect(() => {
    if (focusTarget?.on === on) handle(focusTarget as Extract<FocusTarget, { on: On }>)
  }, [focusTarget, on])
}
