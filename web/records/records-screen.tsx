import { useEffect, useMemo, useRef, useState } from 'react'
import { useSelector, useStore } from 'react-redux'
import { Link, useNavigate } from 'react-router'
import type { User } from '../../contract/accounts.ts'
import { type Employee, sameFields } from '../../contract/employees.ts'
import type { Services } from '../services/ports.ts'
import { removeStoredUser } from '../session/stored-user.ts'
import type { Store } from '../store.ts'
import { Button } from '../ui/button.tsx'
import { Message } from '../ui/message.tsx'
import type { BookState } from './book-slice.ts'
import { type Draft, draftOf, emptyDraft } from './draft.ts'
import { EmployeeForm } from './employee-form.tsx'
import { EmployeeTable } from './employee-table.tsx'
import { followRegister, type Line } from './follow-register.ts'
import { operationOf } from './operation.ts'
import { OutboxStrip } from './outbox-strip.tsx'
import styles from './records-screen.module.css'
import { TopBar } from './top-bar.tsx'
import { useDesk } from './use-desk.ts'
import type { Tab } from './vault.ts'

interface RecordsScreenProps {
  user: User
  services: Services
  tab: Promise<Tab>
}

/** The page of the specification: /form. */
export function RecordsScreen({ user, services, tab }: RecordsScreenProps) {
  const store = useStore<BookState>() as Store
  const book = useSelector((state: BookState) => state.book)
  const navigate = useNavigate()
  const [line, setLine] = useState<Line>('reading')
  const [hasRead, setHasRead] = useState(false)
  const { outbox, entries, draft, setDraft, replaceDraft } = useDesk(user, store, tab)
  const nameInput = useRef<HTMLInputElement>(null)
  const present = useRecord(book, draft.editing?.id)

  useEffect(() => {
    document.title = 'Employee Records · Staffbook'
  }, [])

  useEffect(
    () => followRegister({ store, documents: services.documents, onLine: setLine }),
    [store, services],
  )

  useEffect(() => {
    if (line !== 'live') return
    setHasRead(true)
    void outbox?.resume()
  }, [line, outbox])

  async function logOut() {
    try {
      await services.identity.signOut()
    } catch (error) {
      console.error('Logout failed:', error)
      return
    }
    await outbox?.wipe()
    await navigate('/login')
    removeStoredUser()
  }

  function edit(next: Draft) {
    replaceDraft(next)
    nameInput.current?.focus()
  }

  function submit() {
    void outbox?.submit(operationOf(draft))
    setDraft(emptyDraft)
    nameInput.current?.focus()
  }

  function editEntry(id: string) {
    const taken = outbox?.takeOut(id)
    if (taken) edit(taken)
  }

  const hasEnded =
    line === 'ended' ||
    entries.some((entry) => entry.state === 'refused' && entry.refusal.code === 'not-signed-in')

  return (
    <div className={styles.page}>
      <TopBar email={user.email} onLogout={logOut} />
      <main className={styles.main} aria-busy={!hasRead}>
        <Message role="alert">
          {hasEnded && (
            <>
              Your session has ended. What you typed is kept. <Link to="/signin">Sign in again</Link>
            </>
          )}
        </Message>
        <Message role="status">
          {line === 'lost' && 'No connection to the register. What you save now is sent when it is back.'}
        </Message>
        <EmployeeForm
          fields={draft.fields}
          isEditing={draft.editing !== null}
          notice={hasRead && editNotice(draft, present, setDraft)}
          nameInput={nameInput}
          onChange={(fields) => setDraft({ ...draft, fields })}
          onSubmit={submit}
          onCancel={() => setDraft(emptyDraft)}
        />
        <OutboxStrip
          entries={entries}
          onRetry={(id) => void outbox?.retry(id)}
          onEdit={editEntry}
          onUndo={(id) => void outbox?.undo(id)}
          onDiscard={(id) => void outbox?.discard(id)}
        />
        <EmployeeTable
          book={book}
          editedId={draft.editing?.id}
          onEdit={(employee) => edit(draftOf(employee))}
          onDelete={(employee) => void outbox?.submit({ kind: 'remove', employee })}
        >
          <p className={styles.empty}>
            {hasRead
              ? 'Nobody is in the register yet. Add the first record above.'
              : 'Reading the register …'}
          </p>
        </EmployeeTable>
      </main>
    </div>
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
