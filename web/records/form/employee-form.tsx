import { type ReactNode, type Ref, type SubmitEvent, useId, useState } from 'react'
import { type Employee, type EmployeeFields, maxFieldLength } from '../../../contract/employees.ts'
import { noAutofill } from '../../lib/no-autofill.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Message } from '../../ui/message.tsx'
import type { ShowToast } from '../../ui/toast.tsx'
import { EmployeeName } from '../fields.tsx'
import styles from './employee-form.module.css'
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
  const { fields, edited, isOpen, canClose, emailHint, nameInput } = props
  const { onOpenChange, onChange, onSubmit, onCancel, showToast } = props
  const isEditing = edited !== null
  const [submitCount, setSubmitCount] = useState(0)
  const emailHintId = useId()

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setSubmitCount(submitCount + 1)
    onSubmit()
  }

  const getInputProps = (name: keyof EmployeeFields) => ({
    name,
    required: true,
    maxLength: maxFieldLength,
    onChange: (event: { target: HTMLInputElement }) => onChange({ ...fields, [name]: event.target.value }),
    ...noAutofill,
  })

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
        <div className={styles.fields}>
          <Field label={words.eName} value={fields.eName} {...getInputProps('eName')} ref={nameInput} />
          <Field
            label={words.email}
            type="email"
            value={fields.email}
            aria-describedby={emailHintId}
            {...getInputProps('email')}
          />
          <PasswordField
            // Remounts the field for each record, so that the next password is masked again.
            key={`${submitCount}/${edited?.id}`}
            fields={fields}
            inputProps={getInputProps('password')}
            onGenerate={(password) => onChange({ ...fields, password })}
            onReveal={props.onReveal}
            showToast={showToast}
          />
          {/* Below the email, but after the password in the tab order, because its link appears while the user types. */}
          <p id={emailHintId} className={styles.emailHint}>
            {emailHint}
          </p>
        </div>
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
