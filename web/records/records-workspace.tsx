import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { type Employee, hasSameFields } from '../../contract/employees.ts'
import { useAppSelector } from '../store-hooks.ts'
import { Button } from '../ui/button.tsx'
import { useLiveRegion } from '../ui/live-region.tsx'
import { useToast } from '../ui/toast.tsx'
import { DuplicateHint } from './form/duplicate-hint.tsx'
import { EmployeeForm } from './form/employee-form.tsx'
import { useUnloadWarning } from './form/use-draft.ts'
import { ImportExportButtons } from './import-export-buttons.tsx'
import type { Draft } from './outbox/draft.ts'
import { withoutRestored } from './outbox/entry.ts'
import type { Outbox } from './outbox/outbox.ts'
import { OutboxList } from './outbox/outbox-list.tsx'
import { startRetryLoop } from './outbox/retry-loop.ts'
import styles from './records-page.module.css'
import { ShortcutsButton } from './shortcuts/shortcuts-button.tsx'
import type { ConnectionStatus } from './sync/sync-employees.ts'
import { EmployeeList, type EmployeeListHandle } from './table/employee-list.tsx'
import { useAnnounceSaves } from './use-announce-saves.tsx'
import { useEditing } from './use-editing.ts'

interface RecordsWorkspaceProps {
  outbox: Outbox
  initialDraft: Draft
  connectionStatus: ConnectionStatus
}

/** The form, the outbox and the list of all records. */
export function RecordsWorkspace({ outbox, initialDraft, connectionStatus }: RecordsWorkspaceProps) {
  const book = useAppSelector((state) => state.book)
  const allEntries = useSyncExternalStore(outbox.subscribe, outbox.entries)
  const entries = useMemo(() => withoutRestored(allEntries, book), [allEntries, book])
  const employeeList = useRef<EmployeeListHandle>(null)
  const editing = useEditing({ outbox, initialDraft, employeeList })
  const { draft, focusForm } = editing
  const editedId = draft.editing?.id
  const currentRecord = useEmployee(book, editedId)
  const { toast, showToast } = useToast(restoreFocus)
  const { liveRegion, announce } = useLiveRegion()
  const { remove, undo } = useAnnounceSaves({ outbox, employeeList, showToast, announce })
  useUnloadWarning(outbox, entries, draft)
  const hasLoaded = useResend(outbox, connectionStatus)

  /** Called when the focused element is removed. Does nothing on touch screens, where a focused field opens the keyboard. */
  function restoreFocus() {
    if (matchMedia('(hover: hover)').matches) focusForm()
  }

  const cancelEditing = () => editing.cancelEditing(currentRecord)

  function undoLastDelete() {
    const lastDelete = entries.findLast((entry) => entry.state === 'deleted')
    if (lastDelete) undo(lastDelete)
  }

  return (
    <>
      <EmployeeForm
        fields={draft.fields}
        editedId={editedId}
        conflictMessage={hasLoaded && renderConflictMessage(draft, currentRecord, editing.acceptTheirs)}
        emailHint={
          <DuplicateHint
            book={book}
            email={draft.fields.email}
            exceptId={editedId}
            onShow={(id) => employeeList.current?.showRow(id)}
          />
        }
        nameInput={editing.nameInput}
        onChange={editing.setFields}
        onSubmit={editing.submit}
        onCancel={cancelEditing}
        showToast={showToast}
      />
      <OutboxList
        entries={entries}
        onRetry={(id) => void outbox.retry(id)}
        onEdit={editing.editEntry}
        onUndo={undo}
        onDiscard={(id) => void outbox.discard(id)}
        onDismissUndo={() => void outbox.dismissUndo()}
        onEmpty={restoreFocus}
      />
      {/* Shown at the bottom of the page, but before the rows in the tab order, because there can be thousands of rows. */}
      {toast}
      <EmployeeList
        ref={employeeList}
        employees={book}
        isLoaded={hasLoaded}
        editedId={editedId}
        onEdit={editing.editEmployee}
        onDelete={(employee, clickCount) => void remove(employee, clickCount)}
        onAdd={focusForm}
        showToast={showToast}
        renderToolbar={(rows) => (
          <>
            <ImportExportButtons book={book} rows={rows} outbox={outbox} showToast={showToast} />
            <ShortcutsButton
              showToast={showToast}
              shortcuts={{
                search: () => employeeList.current?.focusSearch(),
                newRecord: focusForm,
                leaveEditing: cancelEditing,
                undo: undoLastDelete,
              }}
            />
          </>
        )}
      />
      {liveRegion}
    </>
  )
}

/** Retries waiting operations while the connection is live. Returns whether all records have been loaded once. */
function useResend(outbox: Outbox, connectionStatus: ConnectionStatus): boolean {
  const [hasLoaded, setHasLoaded] = useState(false)

  useEffect(() => {
    if (connectionStatus !== 'live') return
    setHasLoaded(true)
    const controller = new AbortController()
    startRetryLoop(outbox, controller.signal)
    return () => controller.abort()
  }, [connectionStatus, outbox])

  return hasLoaded
}

function useEmployee(book: Employee[], id: string | undefined): Employee | undefined {
  return useMemo(
    () => (id === undefined ? undefined : book.find((employee) => employee.id === id)),
    [book, id],
  )
}

/** The message that somebody else has changed or deleted the record in the form. What was typed stays. */
function renderConflictMessage(
  { editing }: Draft,
  currentRecord: Employee | undefined,
  acceptTheirs: (theirs: Employee) => void,
) {
  if (!editing) return null
  if (!currentRecord) return 'This record has been deleted meanwhile. What you typed is still here.'
  if (hasSameFields(currentRecord, editing)) return null
  return (
    <span className={styles.conflict}>
      Someone else has changed this record. What you typed is still here.
      <Button onClick={() => acceptTheirs(currentRecord)}>Use theirs</Button>
    </span>
  )
}
