import { type ChangeEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  changedNames,
  type EmployeeFields,
  type FieldName,
  fieldNames,
  fieldOf,
  hasSameFields,
  secretFieldNames,
} from '../../../../contract/employees.ts'
import { isOwnPassword, mayBeOwnPassword } from '../../../auth/own-password.ts'
import { lazyPart, OnDemand } from '../../../ui/lazy-part.tsx'
import { Message } from '../../../ui/message.tsx'
import type { Editing } from '../../model/editing/use-editing.ts'

const FilledQuestion = lazyPart(() => import('./filled-question.tsx'), 'FilledQuestion')

/** Whether the user has typed, pasted or dropped it. A password manager sets the value; Firefox's replaces the text. */
const isByUser = ({ inputType }: Event & { inputType?: string }) =>
  Boolean(inputType) && inputType !== 'insertReplacementText'

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
  const [asked, setAsked] = useState<{ about: EmployeeFields; names: readonly FieldName[] | null }>()
  const isAsked = asked !== undefined && hasSameFields(asked.about, fields)
  const isChanged = (name: FieldName) => fieldOf(fields, name) !== (edited ? fieldOf(edited, name) : '')

  /** Takes what the fields contain: also those that were filled without an event. */
  function takeChange({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) {
    if (!target.form) return
    const read = readFields(target.form, fields)
    for (const name of changedNames(fields, read)) {
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
      for (const name of changedNames(fields, read)) filledNames.current.add(name)
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
        const isOwn = results.includes(true)
        setAsked({ about: fields, names: isOwn ? null : names })
        if (!isOwn && names.length === 0) submitAgain(form)
      })
    } else if (names.length > 0) setAsked({ about: fields, names })
    return own.length > 0 || names.length > 0
  }

  const question = isAsked && asked.names?.length !== 0 && (
    <Message role="alert">
      <OnDemand>
        <FilledQuestion names={asked.names} />
      </OnDemand>
    </Message>
  )
  return { takeChange, ask, question }
}

const isSecret = (name: FieldName) => (secretFieldNames as readonly FieldName[]).includes(name)
