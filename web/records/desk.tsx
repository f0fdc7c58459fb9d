import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useSelector } from 'react-redux'
import { type Employee, sameFields } from '../../contract/employees.ts'
import { Button } from '../ui/button.tsx'
import { useNotice } from '../ui/notice.tsx'
import type { BookState } from './book-slice.ts'
import { type Draft, draftOf, emptyDraft } from './draft.ts'
import { DuplicateHint } from './duplicate-hint.tsx'
import { EmployeeForm } from './employee-form.tsx'
import type { Line } from './follow-register.ts'
import { operationOf } from './operation.ts'
import type { Outbox } from './outbox.ts'
import { OutboxStrip } from './outbox-strip.tsx'
import styles from './records-screen.module.css'
import { Register, type RegisterHandle } from './register.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { TransferTools } from './transfer/transfer-tools.tsx'
import { useDraft, useWarningBeforeLoss } from './use-draft.ts'

interface DeskProps {
  outbox: Outbox
  typedBefore: Draft
  line: Line
}

/** The form, what is not saved yet, and the register: the three that hand records to one another. */
export function Desk({ outbox, typedBefore, line }: DeskProps) {
  const book = useSelector((state: BookState) => state.book)
  const entries = useSyncExternalStore(outbox.subscribe, outbox.entries)
  const { draft, setDraft, replaceDraft } = useDraft(outbox, typedBefore)
  const [hasRead, setHasRead] = useState(false)
  const { notice, say } = useNotice()
  const nameInput = useRef<HTMLInputElement>(null)
  const register = useRef<RegisterHandle>(null)
  const present = useRecord(book, draft.editing?.id)
  useWarningBeforeLoss(outbox, entries, draft)

  useEffect(() => {
    if (line !== 'live') return
    setHasRead(true)
    void outbox.resume()
  }, [line, outbox])

  const startTyping = () => nameInput.current?.focus()

  function edit(next: Draft) {
    replaceDraft(next)
    startTyping()
  }

  function submit() {
    void outbox.submit(operationOf(draft))
    setDraft(emptyDraft)
    // At once, not when the typing pauses: a reload in between would bring back what is on its way already.
    void outbox.keepForm(emptyDraft)
    startTyping()
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
    register.current?.showRow(draft.editing.id)
  }

  function undoLastDelete() {
    const last = entries.findLast((entry) => entry.state === 'deleted')
    if (!last) return
    void outbox.undo(last.id)
    say(`Putting ${last.employee.eName} back …`)
  }

  return (
    <>
      <EmployeeForm
        fields={draft.fields}
        editedId={draft.editing?.id}
        notice={hasRead && editNotice(draft, present, setDraft)}
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
        onCancel={() => setDraft(emptyDraft)}
      />
      <OutboxStrip
        entries={entries}
        onRetry={(id) => void outbox.retry(id)}
        onEdit={editEntry}
        onUndo={(id) => void outbox.undo(id)}
        onDiscard={(id) => void outbox.discard(id)}
      />
      <Register
        ref={register}
        book={book}
        hasRead={hasRead}
        editedId={draft.editing?.id}
        onEdit={(employee) => edit(draftOf(employee))}
        onDelete={(employee) => void outbox.submit({ kind: 'remove', employee })}
        onAdd={startTyping}
        say={say}
        tools={(rows) => (
          <>
            <TransferTools book={book} rows={rows} outbox={outbox} say={say} />
            <Shortcuts
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
      {notice}
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
function editNotice({ editing }: Draft, present: Employee | undefined, takeTheirs: (draft: Draft) => void) {
  if (!editing) return null
  if (!present) return 'This record has been deleted meanwhile. What you typed is still here.'
  if (sameFields(present, editing)) return null
  return (
    <span className={styles.notice}>
      Someone else has changed this record. What you typed is still here.
      <Button onClick={() => takeTheirs(draftOf(present))}>Use theirs</Button>
    </span>
  )
}
