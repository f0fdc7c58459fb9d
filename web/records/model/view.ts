import { createContext, use, useEffectEvent, useLayoutEffect, useMemo, useState } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { useOpening } from '../../lib/presses/use-opening.ts'

/** What gets the focus: the first field of the form, the search box, or the row of a record. */
export type FocusTarget =
  /** `fallback`: where the work goes on after the focused element was removed. */
  | { on: 'form' | 'search' | 'fallback' }
  /** `ifHidden`: what happens if the record does not match the search, or does not exist yet. */
  | { on: 'row'; id: string; ifHidden: 'show all' | 'wait' | 'focus form' }

export type ImportSource = File | string

export type OpenDialog =
  /** `source`: what was dropped or pasted on the page. */
  /** `otherFileCount`: how many files were dropped with it, which are not read. */
  | { kind: 'import'; source?: ImportSource; otherFileCount?: number }
  | { kind: 'hand-over'; records: readonly Employee[] }
  /** `records`: without them, all are offered. */
  | { kind: 'export'; records?: readonly Employee[] }
  | { kind: 'commands' | 'emergency' | AccountDialogKind }

/** The dialogs that the account menu opens. */
export const accountDialogs = [
  'password',
  'sessions',
  'team',
  'activity',
  'deleted',
  'shortcuts',
  'help',
] as const

export type AccountDialogKind = (typeof accountDialogs)[number]

/** With this, the part of the address that opens the list of activity begins. */
export const activityHash = '#activity'

/** The dialogs about records. */
export const recordDialogs: readonly OpenDialog['kind'][] = ['import', 'export', 'emergency', 'hand-over']

const hasField = ({ kind }: OpenDialog) => kind === 'commands'

type View = ReturnType<typeof useViewState>[0]

export const ViewContext = createContext<View | null>(null)

/** Beside the view, so that a dialog that opens renders none but those who ask for it. */
export const OpenDialogContext = createContext<OpenDialog | null>(null)

export const useOpenDialog = () => use(OpenDialogContext)

/** What the parts of the page /form ask of each other. Provide it with `ViewContext`, and the dialog with `OpenDialogContext`. */
export function useViewState() {
  const [focusTarget, setFocusTarget] = useState<FocusTarget | null>(null)
  const [isFormOpen, setFormOpen] = useState(false)
  const [openDialog, setDialog] = useOpening(hasField)
  const [actions] = useState(() => ({
    focus: (target: FocusTarget) => setFocusTarget(target),
    focusForm() {
      setFormOpen(true)
      setFocusTarget({ on: 'form' })
    },
    focusFallback: () => setFocusTarget({ on: 'fallback' }),
    closeForm: () => setFormOpen(false),
    setDialog,
  }))
  const view = useMemo(
    () => ({
      /** The last request to move the focus; each is a new object. */
      focusTarget,
      /** Whether the user has opened the form, on a narrow screen. */
      isFormOpen,
      ...actions,
    }),
    [focusTarget, isFormOpen, actions],
  )
  return [view, openDialog] as const
}

/** Returns the view and the actions that change it, which never change. */
export function useView(): View {
  const view = use(ViewContext)
  if (!view) throw new Error('A component that uses the view must be below a ViewContext.')
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
