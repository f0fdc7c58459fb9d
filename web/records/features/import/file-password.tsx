import { type FormEvent, useState } from 'react'
import { noAutofill } from '../../../lib/dom.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Message, Text } from '../../../ui/message.tsx'
import styles from './import-dialog.module.css'
import * as messages from './messages.ts'
import type { ImportFlow, StepOf } from './use-import.ts'

interface FilePasswordProps {
  step: StepOf<'locked'>
  importFlow: ImportFlow
}

/** Asks for the password of a protected file. It stays in this browser, and only until the file has been read. */
export function FilePassword({ step: { origin, problem }, importFlow }: FilePasswordProps) {
  const [password, setPassword] = useState('')

  function open(event: FormEvent) {
    event.preventDefault()
    void importFlow.read(origin, { password })
  }

  return (
    <form className={styles.stepPanel} onSubmit={open}>
      <Message role="alert">{problem}</Message>
      <p className={styles.hint}>
        <Text>{messages.isProtected(origin.name)}</Text>
      </p>
      <Field
        label={messages.filePassword}
        type="password"
        autoFocus
        secret={password}
        onChange={({ target }) => setPassword(target.value)}
        {...noAutofill}
        autoComplete="new-password"
      />
      <DialogFooter>
        <Button onClick={importFlow.restart}>{messages.back}</Button>
        <Button variant="primary" type="submit" disabled={password === ''}>
          {messages.openFile}
        </Button>
      </DialogFooter>
    </form>
  )
}
