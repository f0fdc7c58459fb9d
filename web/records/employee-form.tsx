import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, type Ref, type SubmitEvent, useState } from 'react'
import { type EmployeeFields, maxFieldLength } from '../../contract/employees.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Message } from '../ui/message.tsx'
import { neverFill } from '../ui/never-fill.ts'
import styles from './employee-form.module.css'

interface EmployeeFormProps {
  fields: EmployeeFields
  isEditing: boolean
  /** What happened to the record meanwhile. */
  notice: ReactNode
  nameInput: Ref<HTMLInputElement>
  onChange(fields: EmployeeFields): void
  onSubmit(): void
  onCancel(): void
}

/** The form of one record. What stands in it is held by the page, which keeps it across a reload. */
export function EmployeeForm(props: EmployeeFormProps) {
  const { fields, isEditing, notice, nameInput, onChange, onSubmit, onCancel } = props
  const [shown, setShown] = useState(false)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setShown(false)
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
        <Field label="Email" type="email" value={fields.email} {...inputOf('email')} />
        <div className={styles.password}>
          <Field
            label="Password"
            type={shown ? 'text' : 'password'}
            spellCheck={false}
            secret={fields.password}
            {...inputOf('password')}
            autoComplete="new-password"
          />
          <Button
            look="icon"
            className={styles.eye}
            aria-label="Show what I type"
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            {shown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
          </Button>
        </div>
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
