import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { type Employee, hasSameFields } from '../../contract/employees.ts'
import { useAppSelector } from '../store-hooks.ts'
import { Button } from '../ui/button.tsx'
import { useLiveRegion } from '../ui/live-region.tsx'
import { useToast } from '../ui/toast.tsx'
import { DuplicateHint } from './form/duplicate-hint.tsx'
import { EmployeeForm } from './form/employee-form.tsx'
import { useDraft, useUnloadWarning } from './form/use-draft.ts'
import { ImportExportButtons } from './import-export-buttons.tsx'
import { type Draft, draftFromEmployee, emptyDraft } from './outbox/draft.ts'
import { operationFromDraft } from './outbox/operation.ts'
import type { Outbox } from './outbox/outbox.ts'
import { OutboxList } from './outbox/outbox-list.tsx'
import { startRetryLoop } from './outbox/retry-loop.ts'
import styles from './records-page.module.css'
import { ShortcutsButton } from './shortcuts/shortcuts-button.tsx'
import type { ConnectionStatus } from './sync/sync-employees.ts'
import { EmployeeList, type EmployeeListHandle } from './table/employee-list.tsx'
import { useAnnounceSaves } from './use-announce-saves.tsx'

interface RecordsWorkspaceProps {
  outbox: Outbox
  initialDraft: Draft
  connectionStatus: ConnectionStatus
}

/** The form, what is not saved yet, and the register: the three that hand records to one another. */
export function RecordsWorkspace({ outbox, initialDraft, connectionStatus }: RecordsWorkspaceProps) {
  const book = useAppSelector((state) => state.book)
  const entries = useSyncExternalStore(outbox.subscribe, outbox.entries)
  const { draft, setDraft, replaceDraft } = useDraft(outbox, initialDraft)
  const [hasLoaded, setHasLoaded] = useState(false)
  const nameInput = useRef<HTMLInputElement>(null)
  const employeeList = useRef<EmployeeListHandle>(null)
  const { toast, showToast } = useToast(restoreFocus)
  const { liveRegion, announce } = useLiveRegion()
  const { remove, undo } = useAnnounceSaves({ outbox, employeeList, showToast, announce })
  const currentRecord = useEmployee(book, draft.editing?.id)
  useUnloadWarning(outbox, entries, draft)

  useEffect(() => {
    if (connectionStatus !== 'live') return
    setHasLoaded(true)
    const controller = new AbortController()
    startRetryLoop(outbox, controller.signal)
    return () => controller.abort()
  }, [connectionStatus, outbox])

  useEffect(() => void outbox.dropRestoredDeletes(book), [outbox, book])

  function focusNameInput() {
    nameInput.current?.focus()
  }

  /** Where the focus goes when what had it is gone. Not under a finger: a field opens the keyboard on the screen. */
  function restoreFocus() {
    if (matchMedia('(hover: hover)').matches) focusNameInput()
  }

  function loadIntoForm(next: Draft) {
    replaceDraft(next)
    focusNameInput()
  }

  function submit() {
    void outbox.submit(operationFromDraft(draft))
    setDraft(emptyDraft)
    // At once, not when the typing pauses: a reload in between would bring back what is on its way already.
    void outbox.saveForm(emptyDraft)
    if (draft.editing && employeeList.current?.hasRow(draft.editing.id))
      employeeList.current.showRow(draft.editing.id)
    else focusNameInput()
  }

  function editEntry(id: string) {
    const taken = outbox.takeForEditing(id, draft)
    if (!taken) return
    setDraft(taken)
    focusNameInput()
  }

  /** Back to the row that was being edited; what was typed is put aside, not lost. */
  function cancelEditing() {
    if (!draft.editing) return
    replaceDraft(emptyDraft)
    if (currentRecord) employeeList.current?.showRow(currentRecord.id)
    else focusNameInput()
  }

  function acceptTheirs(theirs: Employee) {
    setDraft(draftFromEmployee(theirs))
    focusNameInput()
  }

  function undoLastDelete() {
    const last = entries.findLast((entry) => entry.state === 'deleted')
    if (last) undo(last)
  }

  return (
    <>
      <EmployeeForm
        fields={draft.fields}
        editedId={draft.editing?.id}
        conflictMessage={hasLoaded && renderConflictMessage(draft, currentRecord, acceptTheirs)}
        emailHint={
          <DuplicateHint
            book={book}
            email={draft.fields.email}
            exceptId={draft.editing?.id}
            onShow={(id) => employeeList.current?.showRow(id)}
          />
        }
        nameInput={nameInput}
        onChange={(fields) => setDraft({ ...draft, fields })}
        onSubmit={submit}
        onCancel={cancelEditing}
        showToast={showToast}
      />
      <OutboxList
        entries={entries}
        onRetry={(id) => void outbox.retry(id)}
        onEdit={editEntry}
        onUndo={undo}
        onDiscard={(id) => void outbox.discard(id)}
        onEmpty={restoreFocus}
      />
      {/* Seen at the foot of the page, but reached by Tab before the rows, however many they are. */}
      {toast}
      <EmployeeList
        ref={employeeList}
        employees={book}
        isLoaded={hasLoaded}
        editedId={draft.editing?.id}
        onEdit={(employee) => loadIntoForm(draftFromEmployee(employee))}
        onDelete={(employee, clickCount) => void remove(employee, clickCount)}
        onAdd={focusNameInput}
        showToast={showToast}
        renderToolbar={(rows) => (
          <>
            <ImportExportButtons book={book} rows={rows} outbox={outbox} showToast={showToast} />
            <ShortcutsButton
              say={showToast}
              keys={{
                search: () => employeeList.current?.focusSearch(),
                newRecord: focusNameInput,
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

function useEmployee(book: Employee[], id: string | undefined): Employee | undefined {
  return useMemo(
    () => (id === undefined ? undefined : book.find((employee) => employee.id === id)),
    [book, id],
  )
}

/** Says when a colleague has changed or deleted the record in the form; what is typed stays. */
function renderConflictMessage(
  { editing }: Draft,
  currentRecord: Employee | undefined,
  acceptTheirs: (theirs: Employee) => void,
) {
  if (!editing) return null
  if (!currentRecord) return 'This record has been deleted meanwhile. What you typed is still here.'
  if (hasSameFields(currentRecord, editing)) return null
  return (
    <span className={styles.notice}>
      Someone else has changed this record. What you typed is still here.
      <Button onClick={() => acceptTheirs(currentRecord)}>Use theirs</Button>
    </span>
  )
}
