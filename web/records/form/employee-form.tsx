import { type ReactNode, type Ref, type SubmitEvent, useId, useState } from 'react'
import { type EmployeeFields, maxFieldLength } from '../../../contract/employees.ts'
import { neverFill } from '../../lib/no-autofill.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Message } from '../../ui/message.tsx'
import type { Say } from '../../ui/toast.tsx'
import styles from './employee-form.module.css'
import { PasswordField } from './password-field.tsx'

interface EmployeeFormProps {
  fields: EmployeeFields
  /** The record being edited; undefined while a new one is being typed. */
  editedId: string | undefined
  /** What happened to the record meanwhile. */
  notice: ReactNode
  /** Below the email. */
  emailHint: ReactNode
  nameInput: Ref<HTMLInputElement>
  onChange(fields: EmployeeFields): void
  onSubmit(): void
  onCancel(): void
  say: Say
}

/** The form of one record. What stands in it is held by the page, which keeps it across a reload. */
export function EmployeeForm(props: EmployeeFormProps) {
  const { fields, editedId, notice, emailHint, nameInput, onChange, onSubmit, onCancel, say } = props

  const isEditing = editedId !== undefined
  const [turn, setTurn] = useState(0)
  const emailHintId = useId()

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setTurn(turn + 1)
    onSubmit()
  }

  const inputOf = (name: keyof EmployeeFields) => ({
    name,
    required: true,
    maxLength: maxFieldLength,
    onChange: (event: { target: HTMLInputElement }) => onChange({ ...fields, [name]: event.target.value }),
    ...neverFill,
  })

  return (
    <form className={styles.form} onSubmit={submit} aria-labelledby="form-title" data-editing={isEditing}>
      <h1 id="form-title">Employee Data Form</h1>
      <Message role="status">{notice}</Message>
      <div className={styles.fields}>
        <Field label="Employee Name" value={fields.eName} {...inputOf('eName')} ref={nameInput} />
        <Field
          label="Email"
          type="email"
          value={fields.email}
          aria-describedby={emailHintId}
          {...inputOf('email')}
        />
        <PasswordField
          // A new one for each record: what is shown of one password is not shown of the next.
          key={`${turn}/${editedId}`}
          fields={fields}
          input={inputOf('password')}
          onUse={(password) => onChange({ ...fields, password })}
          say={say}
        />
        {/* Below the email to the eye, but after the password to Tab: its link comes up while one is typing. */}
        <p id={emailHintId} className={styles.emailHint}>
          {emailHint}
        </p>
      </div>
      <div className={styles.buttons}>
        <Button type="submit" look="primary">
          {isEditing ? 'Update' : 'Submit'}
        </Button>
        {isEditing && <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </form>
  )
}
