import { type RefObject, useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react'
import { useFocusLost } from '../../lib/focus.ts'
import { useAppSelector } from '../../store.ts'
import { useLiveRegion } from '../../ui/live-region.tsx'
import { ToastRegion } from '../../ui/toast.tsx'
import { EmployeeForm } from '../form/employee-form.tsx'
import { useEditing } from '../form/use-editing.ts'
import { findUnsavedIds, isUndo, withoutObsolete } from '../outbox/entry.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { OutboxList } from '../outbox/outbox-list.tsx'
import { useLazyRun } from '../run/use-lazy-run.tsx'
import { usePageShortcuts } from '../shortcuts/use-page-shortcuts.ts'
import type { ConnectionStatus, RecordList } from '../sync/sync-employees.ts'
import { EmployeeList } from '../table/employee-list.tsx'
import { useFocusTarget, useView } from '../view.tsx'
import { ImportExportButtons } from './import-export-buttons.tsx'
import { UndoBar } from './undo-bar.tsx'
import { useAnnounceSaves, useRemove } from './use-announce-saves.tsx'
import { usePageTitle } from './use-page-title.ts'

interface RecordsWorkspaceProps extends Pick<RecordList, 'total'> {
  outbox: Outbox
  connectionStatus: ConnectionStatus
}

export function RecordsWorkspace({ outbox, connectionStatus, total }: RecordsWorkspaceProps) {
  const book = useAppSelector((state) => state.book)
  const allEntries = useSyncExternalStore(outbox.subscribe, outbox.entries)
  const entries = useMemo(() => withoutObsolete(allEntries, book), [allEntries, book])
  const unsavedIds = useMemo(() => findUnsavedIds(entries), [entries])
  const { focus, focusForm, focusFallback, openDialog, setDialog } = useView()
  const editing = useEditing(outbox, entries, book)
  const { draft } = editing.merged
  const { liveRegion, announce } = useLiveRegion()
  const { undo, silence } = useAnnounceSaves(outbox, announce)
  const remove = useRemove(outbox)
  const status = useResend(outbox, connectionStatus)
  const list = { employees: book, status, total }
  const run = useLazyRun({ editing, outbox, list, silence, announce })
  usePageTitle(list, entries)

  // Not if the same update has focused a row. Not on touch screens, where a focused field opens the keyboard.
  useFocusTarget('fallback', () => {
    if (document.activeElement !== document.body || !matchMedia('(hover: hover)').matches) return
    if (editing.nameInput.current?.checkVisibility()) focusForm()
    else focus({ on: 'search' })
  })

  useFocusLost(focusFallback)
  useInitialFocus(list, editing.nameInput)

  // Dialogs show records, colleagues and links. An import stays: it holds what the user has chosen.
  const isOtherDialog = openDialog?.kind !== 'import'
  useEffect(() => {
    if (status === 'closed' && isOtherDialog) setDialog(null)
  }, [status, isOtherDialog, setDialog])

  function undoLast() {
    const last = entries.findLast(isUndo)
    if (last) void undo([last])
  }

  usePageShortcuts({
    search: () => focus({ on: 'search' }),
    newRecord: focusForm,
    undo: undoLast,
    help: () => setDialog({ kind: 'shortcuts' }),
    inForm: run.keys,
  })

  return (
    <>
      <EmployeeForm editing={editing} list={list} onSubmit={run.submit} lastLine={run.bar} />
      <OutboxList
        entries={entries}
        onRetry={(id) => void outbox.retry(id)}
        onEdit={editing.editEntry}
        onDiscard={(id) => void outbox.discard(id)}
      />
      {/* Shown at the bottom of the page, but before the rows in the tab order, because there can be thousands of rows. */}
      <ToastRegion>
        <UndoBar
          entries={entries}
          onUndo={(undone) => void undo(undone)}
          onDismiss={() => void outbox.dismissDone()}
        />
      </ToastRegion>
      <EmployeeList
        list={list}
        rowMarks={{ editedId: draft.editing?.id, unsavedIds }}
        actions={{ onEdit: editing.editEmployee, onDelete: remove }}
        onStartRun={run.start}
        renderToolbar={(rows) => <ImportExportButtons list={list} rows={rows} outbox={outbox} />}
      />
      {liveRegion}
    </>
  )
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
  return hasLoaded ? 'loaded' : 'loading'
}
