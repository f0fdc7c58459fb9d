import { type ChangeEvent, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  type EmployeeFields,
  type FieldName,
  fieldNames,
  fieldOf,
  hasSameFields,
  secretFieldNames,
} from '../../../../contract/employees.ts'
import { isOwnPassword, mayBeOwnPassword } from '../../../auth/own-password.ts'
import { t } from '../../../language/translate.ts'
import type { Editing } from '../../model/editing/use-editing.ts'
import { listNouns } from '../../model/fields.ts'

/** Whether the user has typed, pasted or dropped it. A password manager sets the value; Firefox's replaces the text. */
const isByUser = ({ inputType }: Event & { inputType?: string }) =>
  Boolean(inputType) && inputType !== 'insertReplacementText'

const findChanged = (read: EmployeeFields, known: EmployeeFields) =>
  fieldNames.filter((name) => fieldOf(read, name) !== fieldOf(known, name))

/**
 * What a program, such as a password manager, has put into the fields, also without an event. `ask` returns whether the form is
 * not sent yet: the fields that were filled without an event are taken first, or the user is asked the `question`.
 */
export function useFilledFields(
  editing: Editing,
  readFields: (form: HTMLFormElement, known: EmployeeFields) => EmployeeFields,
) {
  const { fields, editing: edited } = editing.merged.draft
  const filledNames = useRef(new Set<FieldName>())
  const isSubmittedAgain = useRef(false)
  const [asked, setAsked] = useState<{ about: EmployeeFields; question: ReactNode }>()
  const isAsked = asked !== undefined && hasSameFields(asked.about, fields)
  const isChanged = (name: FieldName) => fieldOf(fields, name) !== (edited ? fieldOf(edited, name) : '')

  /** Takes what the fields contain: also those that were filled without an event. */
  function takeChange({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) {
    if (!target.form) return
    const read = readFields(target.form, fields)
    for (const name of findChanged(read, fields)) {
      if (name === target.name && isByUser(nativeEvent)) filledNames.current.delete(name)
      else filledNames.current.add(name)
    }
    editing.setFields(read)
  }

  /** The browser ignores it during this event. */
  const submitAgain = (form: HTMLFormElement) => setTimeout(() => form.requestSubmit())

  function ask(form: HTMLFormElement): boolean {
    const read = readFields(form, fields)
    if (!isSubmittedAgain.current && !hasSameFields(read, fields)) {
      isSubmittedAgain.current = true
      for (const name of findChanged(read, fields)) filledNames.current.add(name)
      flushSync(() => editing.setFields(read))
      submitAgain(form)
      return true
    }
    isSubmittedAgain.current = false
    if (isAsked) return false
    const names = fieldNames.filter(
      (name) => filledNames.current.has(name) && isChanged(name) && (edited || isSecret(name)),
    )
    const own = secretFieldNames.filter((name) => isChanged(name) && mayBeOwnPassword(fieldOf(fields, name)))
    if (own.length > 0) {
      void Promise.all(own.map((name) => isOwnPassword(fieldOf(fields, name)))).then((results) => {
        const question = results.includes(true) && askAboutOwn()
        setAsked({ about: fields, question: question || (names.length > 0 && askAboutFilled(names)) })
        if (!question && names.length === 0) submitAgain(form)
      })
    } else if (names.length > 0) setAsked({ about: fields, question: askAboutFilled(names) })
    return own.length > 0 || names.length > 0
  }

  return { takeChange, ask, question: isAsked && asked.question }
}

const isSecret = (name: FieldName) => (secretFieldNames as readonly FieldName[]).includes(name)

const askAboutFilled = (names: FieldName[]) =>
  t('Your browser or a password manager filled in the {fields}. To save that, press the button again.', {
    fields: listNouns(names, 'conjunction'),
  })

const askAboutOwn = () =>
  t('This is the password of your own account. To save it for this record, press the button again.')
