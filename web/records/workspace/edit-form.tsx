import type { Employee } from '../../../contract/employees.ts'
import { lazyPart, OnDemand } from '../../ui/lazy-part.tsx'
import type { ShowToast } from '../../ui/toast.tsx'
import { loadFailed } from '../../ui/words.ts'
import { DuplicateHint } from '../form/duplicate-hint.tsx'
import { EditMessage, EmployeeForm } from '../form/employee-form.tsx'
import { useHistory } from '../history/history.ts'
import { hasUnsavedInput } from '../outbox/draft.ts'
import type { Editing } from './use-editing.ts'

interface EditFormProps {
  editing: Editing
  book: readonly Employee[]
  hasLoaded: boolean
  onShow(id: string): void
  showToast: ShowToast
}

const ConflictChoices = lazyPart(() =>
  import('../form/conflict-choices.tsx').then((module) => module.ConflictChoices),
)

const LastChanged = lazyPart(() => import('../history/last-changed.tsx').then((module) => module.LastChanged))

/** The form with the user's draft, and with what others have done to its record and to the rest of the book. */
export function EditForm({ editing, book, hasLoaded, onShow, showToast }: EditFormProps) {
  const { merged, focusForm } = editing
  const { draft, conflicts } = merged
  const history = useHistory()
  const isNeeded = hasUnsavedInput(draft) || (hasLoaded && book.length === 0)
  return (
    <EmployeeForm
      fields={draft.fields}
      edited={draft.editing}
      isOpen={editing.isOpen || isNeeded}
      canClose={!isNeeded}
      conflictMessage={hasLoaded && <EditMessage merged={merged} wasDeleted={editing.wasDeleted} />}
      conflictChoices={
        <OnDemand onLoadError={() => showToast(loadFailed)}>
          {conflicts.length > 0 && <ConflictChoices conflicts={conflicts} onChoose={editing.choose} />}
        </OnDemand>
      }
      lastChanged={
        history &&
        editing.currentRecord && (
          <OnDemand onLoadError={() => {}}>
            <LastChanged history={history} employee={editing.currentRecord} />
          </OnDemand>
        )
      }
      onReveal={() => draft.editing && history?.report({ kind: 'reveal', ids: [draft.editing.id] })}
      emailHint={
        <DuplicateHint book={book} email={draft.fields.email} exceptId={draft.editing?.id} onShow={onShow} />
      }
      nameInput={editing.nameInput}
      onOpenChange={(isOpen) => (isOpen ? focusForm() : editing.closeForm())}
      onChange={editing.setFields}
      onSubmit={editing.submit}
      onCancel={editing.cancelEditing}
      showToast={showToast}
    />
  )
}
