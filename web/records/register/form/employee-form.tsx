import {
  type ChangeEventHandler,
  type CSSProperties,
  type ReactNode,
  type SubmitEvent,
  useId,
  useState,
} from 'react'
import {
  type Employee,
  type EmployeeFields,
  type FieldName,
  fieldNames,
  fieldOf,
  fieldRules,
  mapFields,
  maxFieldLength,
  parseEmail,
  removeInvisible,
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
import type { Editing } from '../../model/editing/use-editing.ts'
import { displayName, fieldViews, titleField } from '../../model/fields.ts'
import { useHistory } from '../../model/history/history.ts'
import { useView } from '../../model/view.ts'
import aboutStyles from './about-record.module.css'
import styles from './employee-form.module.css'
import { PasswordField } from './password-field.tsx'
import { useFilledFields } from './use-filled-fields.tsx'
import { useFormFocus } from './use-form-focus.ts'

const DuplicateHint = lazyPart(() => import('./duplicate-hint.tsx'), 'DuplicateHint')
const ConflictChoices = lazyPart(() => import('./conflict-choices.tsx'), 'ConflictChoices')
const OthersEdits = lazyPart(() => import('./others-edits.tsx'), 'OthersEdits')
const AboutRecord = lazyPart(() => import('./about-record.tsx'), 'AboutRecord')

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
  const { service } = useHistory()
  const filled = useFilledFields(editing, readFields)
  useFormFocus(editing)
  const isEditing = draft.editing !== null
  const hasLoaded = list.status === 'loaded'
  // The fields hold input, which must not be hidden, or there is nothing else to do.
  const isNeeded = hasUnsavedInput(draft) || (hasLoaded && list.employees.length === 0)
  const isOpen = useView().isFormOpen || isNeeded
  const isDecided = conflicts.every(({ choice }) => choice !== undefined)

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (filled.ask(event.currentTarget)) return
    if (!isDecided) return // The choices are loading.
    setSubmitCount(submitCount + 1)
    onSubmit()
  }

  return (
    // Signed out, nothing can be added; what is half typed stays.
    <div className={styles.slot} data-sticky hidden={list.status === 'closed' && !hasUnsavedInput(draft)}>
      <form
        className={styles.form}
        onSubmit={submit}
        onKeyDown={ignoreHeldEnter}
        // One element: some screen readers say each of several beside the name.
        aria-labelledby={isEditing ? 'form-header' : 'form-title'}
        data-editing={isEditing}
        data-open={isOpen || isEditing}
      >
        <FormHeader edited={draft.editing} isOpen={isOpen} canClose={!isNeeded} />
        <Message role="status">
          <OnDemand>
            {(wasDeleted || (hasLoaded && conflicts.length + merged.updated.length > 0)) && (
              <OthersEdits merged={merged} employee={currentRecord} />
            )}
          </OnDemand>
        </Message>
        <FormFields
          {...props}
          onChange={filled.takeChange}
          submissionKey={`${submitCount}/${draft.editing?.id}`}
        />
        {/* Before the buttons, so that the fields do not move while the user types. */}
        <OnDemand>
          {conflicts.length > 0 && (
            <ConflictChoices conflicts={conflicts} employee={currentRecord} onChoose={editing.choose} />
          )}
        </OnDemand>
        {filled.question}
        <div className={styles.buttons}>
          <Button
            type="submit"
            variant={
              hasUnsavedInput(draft) && isDecided && list.status !== 'closed' ? 'primary' : 'secondary'
            }
            onClick={ignoreDoubleClick}
          >
            {describeSubmit(editing)}
          </Button>
          {isEditing && !isRunning(draft) && (
            <Button variant="ghost" onClick={editing.cancelEditing}>
              {t('Cancel')}
            </Button>
          )}
        </div>
        {currentRecord && service && (
          <div className={aboutStyles.line} data-about>
            <OnDemand isOptional>
              <AboutRecord key={currentRecord.id} employee={currentRecord} {...{ service, editing, list }} />
            </OnDemand>
          </div>
        )}
        {lastLine}
      </form>
    </div>
  )
}

/** A run skips what was deleted. */
function describeSubmit({ merged: { draft }, wasDeleted }: Editing): string {
  if (!draft.editing) return t('Submit')
  return wasDeleted && !isRunning(draft) ? t('Restore') : t('Update')
}

/**
 * The fields of the form. One that shows what `known` has keeps it: an input shows a text without its line breaks. A name that
 * comes with an email fills the empty field of the name.
 */
function readFields(form: HTMLFormElement, known: EmployeeFields): EmployeeFields {
  let nameOfEmail = ''
  const fields = mapFields((name) => {
    const text = readField(form, name)
    const { isEmail, isSecret } = fieldRules[name]
    const knownText = fieldOf(known, name)
    const shown = knownText.replaceAll(/[\r\n]/g, '')
    if (text === (isEmail ? shown.trim() : shown)) return knownText
    if (isEmail) nameOfEmail = parseEmail(text).name
    if (isEmail) return takeEmail(text)
    return isSecret ? text : removeInvisible(text)
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
  onChange: ChangeEventHandler<HTMLInputElement>
  /** Differs for each record, so that the next password is masked again. */
  submissionKey: string
}

function FormFields({ editing, list, onChange, submissionKey }: FormFieldsProps) {
  const { draft, conflicts } = editing.merged
  const { fields, editing: edited } = draft
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
      value: fieldOf(fields, name),
      required: !fieldRules[name].isOptional,
      maxLength: maxFieldLength,
      onChange,
      'data-undecided': conflicts.some((conflict) => conflict.name === name && !conflict.choice) || undefined,
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
        subject={edited?.id}
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
      <p id={emailHintId} role="status" className={styles.emailHint}>
        <OnDemand isOptional>
          {fields.email && (
            <DuplicateHint
              book={list.employees}
              email={fields.email}
              exceptId={edited?.id}
              onShow={(id) => focus({ on: 'row', id, ifHidden: 'show all' })}
            />
          )}
        </OnDemand>
      </p>
    </div>
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
    <div id="form-header" className={styles.header}>
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
