import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { type Employee, sameFields } from '../../contract/employees.ts'
import type { Store } from '../store.ts'
import { Button } from '../ui/button.tsx'
import { useSpoken } from '../ui/live-region.tsx'
import { useNotice } from '../ui/toast.tsx'
import { DuplicateHint } from './form/duplicate-hint.tsx'
import { EmployeeForm } from './form/employee-form.tsx'
import { useDraft, useWarningBeforeLoss } from './form/use-draft.ts'
import { TransferTools } from './import-export-buttons.tsx'
import { type Draft, draftOf, emptyDraft } from './outbox/draft.ts'
import { operationOf } from './outbox/operation.ts'
import type { Outbox } from './outbox/outbox.ts'
import { OutboxStrip } from './outbox/outbox-list.tsx'
import { keepSending } from './outbox/retry-loop.ts'
import styles from './records-page.module.css'
import { Shortcuts } from './shortcuts/shortcuts-button.tsx'
import type { Line } from './sync/sync-employees.ts'
import { Register, type RegisterHandle } from './table/employee-list.tsx'
import { useRecordChanges } from './use-announce-saves.tsx'

interface DeskProps {
  store: Store
  outbox: Outbox
  typedBefore: Draft
  line: Line
}

/** The form, what is not saved yet, and the register: the three that hand records to one another. */
export function Desk({ store, outbox, typedBefore, line }: DeskProps) {
  const book = useSyncExternalStore(store.subscribe, () => store.getState().book)
  const entries = useSyncExternalStore(outbox.subscribe, outbox.entries)
  const { draft, setDraft, replaceDraft } = useDraft(outbox, typedBefore)
  const [hasRead, setHasRead] = useState(false)
  const nameInput = useRef<HTMLInputElement>(null)
  const register = useRef<RegisterHandle>(null)
  const { notice, say } = useNotice(catchFocus)
  const { spoken, speak } = useSpoken()
  const { remove, undo } = useRecordChanges({ store, outbox, register, say, speak })
  const present = useRecord(book, draft.editing?.id)
  useWarningBeforeLoss(outbox, entries, draft)

  useEffect(() => {
    if (line !== 'live') return
    setHasRead(true)
    const stopping = new AbortController()
    keepSending(outbox, stopping.signal)
    return () => stopping.abort()
  }, [line, outbox])

  useEffect(() => void outbox.forgetUndone(book), [outbox, book])

  function startTyping() {
    nameInput.current?.focus()
  }

  /** Where the focus goes when what had it is gone. Not under a finger: a field opens the keyboard on the screen. */
  function catchFocus() {
    if (matchMedia('(hover: hover)').matches) startTyping()
  }

  function edit(next: Draft) {
    replaceDraft(next)
    startTyping()
  }

  function submit() {
    void outbox.submit(operationOf(draft))
    setDraft(emptyDraft)
    // At once, not when the typing pauses: a reload in between would bring back what is on its way already.
    void outbox.keepForm(emptyDraft)
    if (draft.editing && register.current?.has(draft.editing.id)) register.current.showRow(draft.editing.id)
    else startTyping()
  }

  function editEntry(id: string) {
    const taken = outbox.takeOut(id, draft)
    if (!taken) return
    setDraft(taken)
    startTyping()
  }

  /** Back to the row that was being edited; what was typed is put aside, not lost. */
  function leaveEditing() {
    if (!draft.editing) return
    replaceDraft(emptyDraft)
    if (present) register.current?.showRow(present.id)
    else startTyping()
  }

  function takeTheirs(theirs: Employee) {
    setDraft(draftOf(theirs))
    startTyping()
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
        notice={hasRead && editNotice(draft, present, takeTheirs)}
        emailHint={
          <DuplicateHint
            book={book}
            email={draft.fields.email}
            exceptId={draft.editing?.id}
            onShow={(id) => register.current?.showRow(id)}
          />
        }
        nameInput={nameInput}
        onChange={(fields) => setDraft({ ...draft, fields })}
        onSubmit={submit}
        onCancel={leaveEditing}
        say={say}
      />
      <OutboxStrip
        entries={entries}
        onRetry={(id) => void outbox.retry(id)}
        onEdit={editEntry}
        onUndo={undo}
        onDiscard={(id) => void outbox.discard(id)}
        onLeft={catchFocus}
      />
      {/* Seen at the foot of the page, but reached by Tab before the rows, however many they are. */}
      {notice}
      <Register
        ref={register}
        book={book}
        hasRead={hasRead}
        editedId={draft.editing?.id}
        onEdit={(employee) => edit(draftOf(employee))}
        onDelete={(employee, presses) => void remove(employee, presses)}
        onAdd={startTyping}
        say={say}
        tools={(rows) => (
          <>
            <TransferTools book={book} rows={rows} outbox={outbox} say={say} />
            <Shortcuts
              say={say}
              keys={{
                search: () => register.current?.search(),
                newRecord: startTyping,
                leaveEditing,
                undo: undoLastDelete,
              }}
            />
          </>
        )}
      />
      {spoken}
    </>
  )
}

function useRecord(book: Employee[], id: string | undefined): Employee | undefined {
  return useMemo(
    () => (id === undefined ? undefined : book.find((employee) => employee.id === id)),
    [book, id],
  )
}

/** Says when a colleague has changed or deleted the record in the form; what is typed stays. */
function editNotice(
  { editing }: Draft,
  present: Employee | undefined,
  takeTheirs: (theirs: Employee) => void,
) {
  if (!editing) return null
  if (!present) return 'This record has been deleted meanwhile. What you typed is still here.'
  if (sameFields(present, editing)) return null
  return (
    <span className={styles.notice}>
      Someone else has changed this record. What you typed is still here.
      <Button onClick={() => takeTheirs(present)}>Use theirs</Button>
    </span>
  )
}
