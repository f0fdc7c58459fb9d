import type { ComponentProps } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import type { IdentityService } from '../../backends/ports.ts'
import { lazyPart, OnDemand } from '../../ui/lazy-part.tsx'
import type { RecordList } from '../model/book/sync-employees.ts'
import { useHistory } from '../model/history/history.ts'
import type { PageActions } from '../model/keys/page-commands.ts'
import { type PageShortcuts, usePageShortcuts } from '../model/keys/use-page-shortcuts.ts'
import type { Selection } from '../model/selection/use-selection.ts'
import type { SelectionActions } from '../model/selection/use-selection-commands.ts'
import { type OpenDialog, useOpenDialog, useView } from '../model/view.ts'
import { countRenderedRows } from '../register/elements.ts'

const CommandMenu = lazyPart(() => import('../features/commands/command-menu.tsx'), 'CommandMenu')

interface PageCommandsOptions extends Pick<PageShortcuts, 'inForm'> {
  identity: IdentityService
  list: RecordList
  /** Null if there is nothing to undo. */
  onUndo: (() => void) | null
  onEdit(employee: Employee): void
  onLogout(): void
}

/**
 * Handles the shortcuts of the page. Returns a function that renders the menu of all commands, those for the selected records too,
 * which also finds records.
 */
export function usePageCommands(options: PageCommandsOptions) {
  const { identity, list, inForm, onUndo, onEdit, onLogout } = options
  const { setDialog, focus, focusForm } = useView()
  const { service } = useHistory()
  const open = (kind: Exclude<OpenDialog['kind'], 'hand-over'>) => () => setDialog({ kind })
  const canExport = list.status === 'loaded' && list.employees.length > 0
  const actions: PageActions = {
    search: () => focus({ on: 'search' }),
    newRecord: focusForm,
    undo: onUndo,
    commands: open('commands'),
    import: open('import'),
    export: canExport ? open('export') : null,
    emergency: canExport ? open('emergency') : null,
    password: open('password'),
    sessions: identity.sessions ? open('sessions') : null,
    team: identity.team ? open('team') : null,
    activity: service ? open('activity') : null,
    deleted: service ? open('deleted') : null,
    shortcuts: open('shortcuts'),
    help: open('help'),
    logout: onLogout,
  }
  const hasUnrenderedRows = () => countRenderedRows() < list.employees.length
  usePageShortcuts({ actions, hasUnrenderedRows, inForm })
  const close = () => setDialog(null)
  return (selection: Selection, selectionActions: SelectionActions) => (
    <Commands
      actions={actions}
      selection={selection}
      selectionActions={selectionActions}
      // Signed out, none can be shown.
      employees={list.status === 'closed' ? [] : list.employees}
      onEdit={onEdit}
      onShow={(id) => focus({ on: 'row', id, ifHidden: 'show all' })}
      onClose={close}
    />
  )
}

/** The menu of all commands while it is open. */
function Commands(props: ComponentProps<typeof CommandMenu>) {
  return (
    <OnDemand onGiveUp={props.onClose}>
      {useOpenDialog()?.kind === 'commands' && <CommandMenu {...props} />}
    </OnDemand>
  )
}
