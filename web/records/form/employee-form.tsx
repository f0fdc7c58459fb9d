import { type ReactNode, type Ref, type SubmitEvent, useId, useState } from 'react'
import {
  type Employee,
  type EmployeeFields,
  type FieldName,
  fieldNames,
  fieldRules,
  maxFieldLength,
} from '../../../contract/employees.ts'
import { noAutofill } from '../../lib/no-autofill.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Message } from '../../ui/message.tsx'
import type { ShowToast } from '../../ui/toast.tsx'
import { EmployeeName, fieldViews, titleField } from '../fields.tsx'
import styles from './employee-form.module.css'
import type { MergedDraft } from './merge-draft.ts'
import { PasswordField } from './password-field.tsx'
import * as words from './words.ts'

interface EmployeeFormProps {
  fields: EmployeeFields
  /** The record being edited; null for a new record. */
  edited: Employee | null
  /** Whether the fields are shown on a narrow screen. They always are on a wide one, and while a record is edited. */
  isOpen: boolean
  /** False while the fields hold input, which must not be hidden. */
  canClose: boolean
  /** Shown if somebody else has changed the record being edited. */
  conflictMessage: ReactNode
  /** Shown before the buttons, so that the fields do not move while the user types. */
  conflictChoices: ReactNode
  /** Shown below the email. */
  emailHint: ReactNode
  /** When and by whom the record being edited was last changed. */
  lastChanged: ReactNode
  nameInput: Ref<HTMLInputElement>
  onOpenChange(isOpen: boolean): void
  onChange(fields: EmployeeFields): void
  onSubmit(): void
  onCancel(): void
  /** Called when the password is shown. */
  onReveal(): void
  showToast: ShowToast
}

/** The form that adds or edits a record. */
export function EmployeeForm(props: EmployeeFormProps) {
  const { edited, isOpen, canClose, onOpenChange, onSubmit, onCancel } = props
  const isEditing = edited !== null
  const [submitCount, setSubmitCount] = useState(0)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setSubmitCount(submitCount + 1)
    onSubmit()
  }

  return (
    <div className={styles.slot}>
      <form
        className={styles.form}
        onSubmit={submit}
        aria-labelledby="form-title"
        data-editing={isEditing}
        data-open={isOpen || isEditing}
      >
        <FormHeader edited={edited} isOpen={isOpen} canClose={canClose} onOpenChange={onOpenChange} />
        <Message role="status">{props.conflictMessage}</Message>
        <FormFields {...props} submissionKey={`${submitCount}/${edited?.id}`} />
        {props.conflictChoices}
        <div className={styles.buttons}>
          <Button type="submit" variant="primary">
            {isEditing ? words.update : words.submit}
          </Button>
          {isEditing && (
            <Button variant="ghost" onClick={onCancel}>
              {words.cancel}
            </Button>
          )}
        </div>
        {props.lastChanged && <p className={styles.lastChanged}>{props.lastChanged}</p>}
      </form>
    </div>
  )
}

type FormFieldsProps = Pick<
  EmployeeFormProps,
  'fields' | 'emailHint' | 'nameInput' | 'onChange' | 'onReveal' | 'showToast'
> & {
  /** Differs for each record, so that the next password is masked again. */
  submissionKey: string
}

function FormFields(props: FormFieldsProps) {
  const { fields, emailHint, nameInput, onChange, onReveal, showToast, submissionKey } = props
  const emailHintId = useId()

  function renderField(name: FieldName) {
    const change = (value: string) => onChange({ ...fields, [name]: value })
    const inputProps = {
      ...noAutofill,
      ...fieldViews[name].input,
      label: fieldViews[name].label,
      name,
      required: true,
      maxLength: maxFieldLength,
      onChange: (event: { target: HTMLInputElement }) => change(event.target.value),
    }
    return fieldRules[name].isSecret ? (
      <PasswordField
        key={`${name}/${submissionKey}`}
        name={name}
        fields={fields}
        inputProps={inputProps}
        onGenerate={change}
        onReveal={onReveal}
        showToast={showToast}
      />
    ) : (
      <Field
        key={name}
        value={fields[name]}
        {...(name === titleField && { ref: nameInput })}
        {...(name === 'email' && { 'aria-describedby': emailHintId })}
        {...inputProps}
      />
    )
  }

  return (
    <div className={styles.fields}>
      {fieldNames.map(renderField)}
      {/* Below the email, but after the last field in the tab order, because its link appears while the user types. */}
      <p id={emailHintId} className={styles.emailHint}>
        {emailHint}
      </p>
    </div>
  )
}

type FormHeaderProps = Pick<EmployeeFormProps, 'edited' | 'isOpen' | 'canClose' | 'onOpenChange'>

/** The title, and either the record being edited or the button that opens and closes the fields. */
function FormHeader({ edited, isOpen, canClose, onOpenChange }: FormHeaderProps) {
  const toggle = isOpen ? words.close : words.add
  return (
    <div className={styles.header}>
      <h1 id="form-title">{words.title}</h1>
      {edited ? (
        <p className={styles.edited}>
          {words.editing} <EmployeeName record={edited} />
        </p>
      ) : (
        (canClose || !isOpen) && (
          <Button
            variant="ghost"
            className={styles.toggle}
            aria-label={toggle.label}
            aria-expanded={isOpen}
            onClick={() => onOpenChange(!isOpen)}
          >
            {toggle.text}
          </Button>
        )
      )}
    </div>
  )
}

/** Reports what somebody else has done to the record in the form. What was typed stays. */
export function EditMessage({ merged, wasDeleted }: { merged: MergedDraft; wasDeleted: boolean }) {
  const { conflicts, updated } = merged
  if (wasDeleted) return words.wasDeleted
  if (conflicts.length === 0) return updated.length > 0 && words.wasUpdated(updated)
  const conflict = words.conflict(conflicts.map(({ name }) => name))
  return updated.length > 0 ? `${conflict} ${words.alsoUpdated(updated)}` : conflict
}
