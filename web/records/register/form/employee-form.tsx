import { type CSSProperties, type ReactNode, type SubmitEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  type Employee,
  type EmployeeFields,
  type FieldName,
  fieldNames,
  fieldOf,
  fieldRules,
  hasSameFields,
  mapFields,
  maxFieldLength,
  parseEmail,
  takeEmail,
} from '../../../../contract/employees.ts'
import { t, translateLabel } from '../../../language/translate.ts'
import { ignoreDoubleClick, ignoreHeldEnter, noAutofill, readField } from '../../../lib/dom.ts'
import { isolate } from '../../../lib/isolate.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { lazyPart, OnDemand } from '../../../ui/lazy-part.tsx'
import { cutName, Message, Text } from '../../../ui/message.tsx'
import { hasUnsavedInput, isRunning } from '../../model/book/operation.ts'
import type { RecordList } from '../../model/book/sync-employees.ts'
import type { MergedDraft } from '../../model/editing/merge-draft.ts'
import type { Editing } from '../../model/editing/use-editing.ts'
import { displayName, fieldViews, listNouns, titleField } from '../../model/fields.ts'
import { useHistory } from '../../model/history/history.ts'
import { useView } from '../../model/view.ts'
import { DuplicateHint } from './duplicate-hint.tsx'
import styles from './employee-form.module.css'
import { PasswordField } from './password-field.tsx'
import { useFormFocus } from './use-form-focus.ts'

const ConflictChoices = lazyPart(() => import('./conflict-choices.tsx'), 'ConflictChoices')
const PreviousPasswordList = lazyPart(() => import('./previous-password-list.tsx'), 'PreviousPasswordList')
const LastChanged = lazyPart(() => import('./last-changed.tsx'), 'LastChanged')

interface EmployeeFormProps {
  editing: Editing
  list: RecordList
  onSubmit(): void
  lastLine: ReactNode
}

/** The form that adds or edits a record, with what others have done to it and to the rest of the book. */
export function EmployeeForm(props: EmployeeFormProps) {
  const { editing, list, onSubmit, lastLine } = props
  const { merged, currentRecord, wasDeleted } = editing
  const { draft, conflicts } = merged
  const [submitCount, setSubmitCount] = useState(0)
  const takeFilled = useFilledFields(editing)
  useFormFocus(editing)
  const isEditing = draft.editing !== null
  const hasLoaded = list.status === 'loaded'
  // The fields hold input, which must not be hidden, or there is nothing else to do.
  const isNeeded = hasUnsavedInput(draft) || (hasLoaded && list.employees.length === 0)
  const isOpen = useView().isFormOpen || isNeeded
  const isDecided = conflicts.every(({ choice }) => choice !== undefined)

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (takeFilled(event.currentTarget)) return
    if (!isDecided) return // The choices are loading.
    setSubmitCount(submitCount + 1)
    onSubmit()
  }

  return (
    <div className={styles.slot} data-sticky>
      <form
        className={styles.form}
        onSubmit={submit}
        onKeyDown={ignoreHeldEnter}
        aria-labelledby="form-title"
        data-editing={isEditing}
        data-open={isOpen || isEditing}
      >
        <FormHeader edited={draft.editing} isOpen={isOpen} canClose={!isNeeded} />
        <Message role="status">{hasLoaded && describeOthersEdits(merged, wasDeleted)}</Message>
        <FormFields {...props} submissionKey={`${submitCount}/${draft.editing?.id}`} />
        {/* Before the buttons, so that the fields do not move while the user types. */}
        <OnDemand>
          {conflicts.length > 0 && <ConflictChoices conflicts={conflicts} onChoose={editing.choose} />}
        </OnDemand>
        <EditedPasswords editing={editing} list={list} />
        <div className={styles.buttons}>
          <Button
            type="submit"
            variant={hasUnsavedInput(draft) && isDecided ? 'primary' : 'secondary'}
            onClick={ignoreDoubleClick}
          >
            {isEditing ? t('Update') : t('Submit')}
          </Button>
          {isEditing && !isRunning(draft) && (
            <Button variant="ghost" onClick={editing.cancelEditing}>
              {t('Cancel')}
            </Button>
          )}
        </div>
        {currentRecord && <RecordHistory employee={currentRecord} />}
        {lastLine}
      </form>
    </div>
  )
}

/** Returns a function that takes fields filled without an event, and then submits again. It returns whether there were any. */
function useFilledFields({ merged, setFields }: Editing) {
  const { fields } = merged.draft
  const isSubmittedAgain = useRef(false)
  return (form: HTMLFormElement): boolean => {
    const filled = readFields(form, fields)
    isSubmittedAgain.current = !isSubmittedAgain.current && !hasSameFields(filled, fields)
    if (!isSubmittedAgain.current) return false
    flushSync(() => setFields(filled))
    // The browser ignores it during this event.
    setTimeout(() => form.requestSubmit())
    return true
  }
}

function RecordHistory({ employee }: { employee: Employee }) {
  const { service, team } = useHistory()
  const { setDialog } = useView()
  if (!service) return null
  return (
    <div className={styles.lastChanged}>
      <OnDemand isOptional>
        <LastChanged key={employee.id} service={service} employee={employee} />
      </OnDemand>
      {/* For fingers; otherwise the row has one. */}
      {team && (
        <button
          type="button"
          className={styles.handOver}
          onClick={() => setDialog({ kind: 'hand-over', records: [employee] })}
        >
          {t('Hand over')}
        </button>
      )}
    </div>
  )
}

/**
 * The fields of the form. One that shows what `known` has keeps it: an input shows a text without its line breaks. A name that
 * comes with an email fills the empty field of the name.
 */
function readFields(form: HTMLFormElement, known: EmployeeFields): EmployeeFields {
  let nameOfEmail = ''
  const fields = mapFields((name) => {
    const text = readField(form, name)
    const { isEmail } = fieldRules[name]
    const knownText = fieldOf(known, name)
    const shown = knownText.replaceAll(/[\r\n]/g, '')
    if (text === (isEmail ? shown.trim() : shown)) return knownText
    if (isEmail) nameOfEmail = parseEmail(text).name
    return isEmail ? takeEmail(text) : text
  })
  return { ...fields, [titleField]: fields[titleField] || nameOfEmail }
}

/** As wide as the columns of the table. */
const fieldColumns = {
  '--field-columns': fieldNames
    .map((name) => (fieldRules[name].isSecret ? 'calc(var(--secret-width) - var(--gap))' : 'minmax(0, 1fr)'))
    .join(' '),
} as CSSProperties

interface FormFieldsProps extends Pick<EmployeeFormProps, 'editing' | 'list'> {
  /** Differs for each record, so that the next password is masked again. */
  submissionKey: string
}

function FormFields({ editing, list, submissionKey }: FormFieldsProps) {
  const { fields, editing: edited } = editing.merged.draft
  const { focus } = useView()
  const { report } = useHistory()
  const emailHintId = useId()

  function renderField(name: FieldName) {
    const change = (value: string) => editing.setFields({ ...fields, [name]: value })
    const inputProps = {
      ...noAutofill,
      ...fieldViews[name].input,
      label: translateLabel(fieldRules[name].label),
      name,
      required: !fieldRules[name].isOptional,
      maxLength: maxFieldLength,
      // Also those that were filled without an event, which rendering would empty.
      onChange: ({ target: { form } }: { target: HTMLInputElement }) => {
        if (form) editing.setFields(readFields(form, fields))
      },
    }
    return fieldRules[name].isSecret ? (
      <PasswordField
        key={`${name}/${submissionKey}`}
        name={name}
        fields={fields}
        inputProps={inputProps}
        isLocked={list.status === 'closed'}
        onGenerate={change}
        onReveal={() => edited && report({ kind: 'reveal', ids: [edited.id] })}
      />
    ) : (
      <Field
        key={name}
        value={fieldOf(fields, name)}
        {...(name === titleField && { ref: editing.nameInput })}
        {...(name === 'email' && { 'aria-describedby': emailHintId })}
        {...inputProps}
      />
    )
  }

  return (
    <div className={styles.fields} style={fieldColumns}>
      {fieldNames.map(renderField)}
      {/* Below the email, but after the last field in the tab order, because its link appears while the user types. */}
      <p id={emailHintId} className={styles.emailHint}>
        <DuplicateHint
          book={list.employees}
          email={fields.email}
          exceptId={edited?.id}
          onShow={(id) => focus({ on: 'row', id, ifHidden: 'show all' })}
        />
      </p>
    </div>
  )
}

function EditedPasswords({ editing, list }: Pick<EmployeeFormProps, 'editing' | 'list'>) {
  const { previousPasswords } = useHistory()
  const { currentRecord, merged } = editing
  return (
    <OnDemand isOptional>
      {previousPasswords && currentRecord && list.status !== 'closed' && !isRunning(merged.draft) && (
        <PreviousPasswordList
          key={currentRecord.id}
          service={previousPasswords}
          employee={currentRecord}
          onUse={(fields) => editing.setFields({ ...merged.draft.fields, ...fields })}
        />
      )}
    </OnDemand>
  )
}

interface FormHeaderProps {
  /** The record being edited; null for a new record. */
  edited: Employee | null
  /** Whether the fields are shown on a narrow screen. They always are on a wide one, and while a record is edited. */
  isOpen: boolean
  canClose: boolean
}

/** The title, and either the record being edited or the button that opens and closes the fields. */
function FormHeader({ edited, isOpen, canClose }: FormHeaderProps) {
  const { focusForm, closeForm } = useView()
  return (
    <div className={styles.header}>
      <h1 id="form-title">{t('Employee Data Form')}</h1>
      {edited ? (
        <p className={styles.edited}>
          <Text renderValue={cutName}>{t('Editing {name}', { name: isolate(displayName(edited)) })}</Text>
        </p>
      ) : (
        (canClose || !isOpen) && (
          <Button
            variant="ghost"
            className={styles.toggle}
            aria-label={isOpen ? t('Close the form') : t('Add a record')}
            aria-expanded={isOpen}
            onClick={isOpen ? closeForm : focusForm}
          >
            {isOpen ? t('Close') : t('Add')}
          </Button>
        )
      )}
    </div>
  )
}

/** Reports what somebody else has done to the record in the form. What was typed stays. */
function describeOthersEdits(merged: MergedDraft, wasDeleted: boolean): ReactNode {
  const { conflicts, updated } = merged
  if (wasDeleted) return t('This record was deleted while you were editing. Your text is still here.')
  const newer = { fields: listNouns(updated, 'conjunction'), count: updated.length }
  if (conflicts.length === 0)
    return newer.count > 0 && t('Someone else changed the {fields}. The form is up to date.', newer)
  const names = conflicts.map(({ name }) => name)
  const values = { fields: listNouns(names, 'conjunction') }
  const conflict = t('Someone else changed the {fields} meanwhile. Choose which to keep.', values)
  if (newer.count === 0) return conflict
  const others = t(
    '{count, plural, one {Their new {fields} is already here.} other {Their new {fields} are already here.}}',
    newer,
  )
  return (
    <>
      {conflict} {others}
    </>
  )
}
