import { type RefObject, useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react'
import type { IdentityService } from '../../backends/ports.ts'
import { useFocusLost } from '../../lib/focus.ts'
import { lazyPart, OnDemand } from '../../ui/lazy-part.tsx'
import { useLiveRegion } from '../../ui/live-region.tsx'
import { ToastRegion } from '../../ui/toast.tsx'
import type { ExposedBannerProps } from '../features/leavers/exposed-banner.tsx'
import { deleteMany, hasUnsavedInput } from '../model/book/operation.ts'
import { useAppSelector } from '../model/book/store.ts'
import type { ConnectionStatus, RecordList } from '../model/book/sync-employees.ts'
import { useEditing } from '../model/editing/use-editing.ts'
import { useHistory } from '../model/history/history.ts'
import { canUndo, type Entry, findUnsaved, withoutObsolete } from '../model/outbox/entry.ts'
import type { Outbox } from '../model/outbox/outbox.ts'
import { useFocusTarget, useView } from '../model/view.ts'
import { EmployeeForm } from '../register/form/employee-form.tsx'
import { OutboxList } from '../register/outbox-list.tsx'
import { EmployeeList } from '../register/table/employee-list.tsx'
import { UndoBar } from '../register/undo-bar.tsx'
import { ImportExportButtons } from './import-export-buttons.tsx'
import { useAnnounceSaves, useRemove } from './use-announce-saves.tsx'
import { useLazyRun } from './use-lazy-run.tsx'
import { usePageCommands } from './use-page-commands.tsx'

const IdleHooks = lazyPart(() => import('./idle-parts.tsx'), 'IdleHooks')
const ExposedBanner = lazyPart(() => import('../features/leavers/exposed-banner.tsx'), 'ExposedBanner')

interface RecordsWorkspaceProps extends Pick<RecordList, 'total'> {
  outbox: Outbox
  connectionStatus: ConnectionStatus
  identity: IdentityService
  /** Whether the browser was idle after the rows were shown. */
  isIdle: boolean
  onLogout(): void
}

const noEntries: readonly Entry[] = []

export function RecordsWorkspace(props: RecordsWorkspaceProps) {
  const { outbox, connectionStatus, total, identity, isIdle, onLogout } = props
  const book = useAppSelector((state) => state.book)
  const allEntries = useSyncExternalStore(outbox.subscribe, outbox.entries)
  const status = useResend(outbox, connectionStatus)
  const entries = useMemo(() => withoutObsolete(allEntries, book), [allEntries, book])
  // Nothing can be sent or undone while signed out.
  const shownEntries = status === 'closed' ? noEntries : entries
  const unsaved = useMemo(() => findUnsaved(entries), [entries])
  const { focus, focusForm, focusFallback } = useView()
  const list = { employees: book, status, total }
  const editing = useEditing(outbox, entries, list)
  const { draft } = editing.merged
  const { liveRegion, announce } = useLiveRegion()
  const { undo, silence } = useAnnounceSaves(outbox, announce, editing.editEntry)
  const remove = useRemove(outbox)
  const run = useLazyRun({ editing, outbox, list, silence, announce })

  // Not if the same update has focused a row. Not on touch screens, where a focused field opens the keyboard.
  useFocusTarget('fallback', () => {
    if (document.activeElement !== document.body || !matchMedia('(hover: hover)').matches) return
    if (editing.nameInput.current?.checkVisibility()) focusForm()
    else focus({ on: 'search' })
  })

  useFocusLost(focusFallback)
  useInitialFocus(list, editing.nameInput)

  const lastUndo = shownEntries.findLast(canUndo)
  const onUndo = lastUndo ? () => void undo([lastUndo]) : null
  const renderCommandMenu = usePageCommands({
    list,
    identity,
    inForm: run.keys,
    onEdit: editing.editEmployee,
    onUndo,
    onLogout,
  })

  return (
    <>
      <EmployeeForm editing={editing} list={list} onSubmit={run.submit} lastLine={run.bar} />
      <OutboxList
        entries={shownEntries}
        onRetry={(id) => void outbox.retry(id)}
        onEdit={editing.editEntry}
        onKeep={(id) => void outbox.undo(id)}
        onDiscard={(id) => void outbox.discard(id)}
      />
      {/* Shown at the bottom of the page, but before the rows in the tab order, because there can be thousands of rows. */}
      <ToastRegion>
        <UndoBar
          entries={shownEntries}
          onUndo={(undone) => void undo(undone)}
          onDismiss={() => void outbox.dismissDone()}
          onShow={(id) => focus({ on: 'row', id, ifHidden: 'show all' })}
        />
      </ToastRegion>
      <EmployeeList
        list={list}
        rowMarks={{ editedId: draft.editing?.id, unsaved }}
        isFormFilled={hasUnsavedInput(draft)}
        actions={{ onEdit: editing.editEmployee, onDelete: remove }}
        onDeleteMany={(records) => void outbox.submit(deleteMany(records))}
        onStartRun={run.start}
        renderLeaver={(search, onStart) => (
          <LeaverBanner search={search} onStart={onStart} onDelete={remove} />
        )}
        renderToolbar={(rows, selection, selectionActions) => (
          <>
            <ImportExportButtons list={list} rows={rows} outbox={outbox} />
            {renderCommandMenu(selection, selectionActions)}
          </>
        )}
      />
      {liveRegion}
      <OnDemand isOptional>{isIdle && <IdleHooks list={list} entries={entries} onUndo={onUndo} />}</OnDemand>
    </>
  )
}

/** Which passwords must be changed because a colleague leaves, if the search asks for it. */
function LeaverBanner(props: Omit<ExposedBannerProps, 'service' | 'accountId'>) {
  const { leaver } = props.search.searchParams
  const { service } = useHistory()
  if (!service || !leaver) return null
  return <ExposedBanner key={leaver} service={service} accountId={leaver} {...props} />
}

/** Focuses the first field once all records have been loaded and there are none. Not on touch screens. */
function useInitialFocus({ employees, status }: RecordList, nameInput: RefObject<HTMLInputElement | null>) {
  const start = useEffectEvent(() => {
    const hasFocus = document.activeElement !== document.body
    if (employees.length === 0 && !hasFocus && matchMedia('(hover: hover)').matches)
      nameInput.current?.focus()
  })
  useEffect(() => {
    if (status === 'loaded') start()
  }, [status])
}

/** Retries waiting operations while the connection is live. Returns how much of the list has been loaded since the sign-in. */
function useResend(outbox: Outbox, connectionStatus: ConnectionStatus): RecordList['status'] {
  const isClosed = connectionStatus === 'signed-out' || connectionStatus === 'forbidden'
  const [hasLoaded, setHasLoaded] = useState(false)
  if (isClosed && hasLoaded) setHasLoaded(false)

  useEffect(() => {
    if (connectionStatus !== 'live') return
    setHasLoaded(true)
    const controller = new AbortController()
    outbox.keepSending(controller.signal)
    return () => controller.abort()
  }, [connectionStatus, outbox])

  if (isClosed) return 'closed'
  return hasLoaded || connectionStatus === 'live' ? 'loaded' : connectionStatus
}
