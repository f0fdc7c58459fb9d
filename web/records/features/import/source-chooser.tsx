import { type ClipboardEvent, type FormEvent, useRef, useState } from 'react'
import { noAutofill } from '../../../lib/dom.ts'
import { isolate } from '../../../lib/isolate.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Message, Text } from '../../../ui/message.tsx'
import type { ImportSource } from '../../model/view.ts'
import styles from './import-dialog.module.css'
import * as messages from './messages.ts'
import type { ImportFlow, StepOf } from './use-import.ts'

interface SourceChooserProps {
  problem: string
  text: string
  onTextChange(text: string): void
  onSource(source: ImportSource): void
}

/** The first step: choose a file or paste rows. `useFileDrop` handles files dropped anywhere on the page. */
export function SourceChooser({ problem, text, onTextChange, onSource }: SourceChooserProps) {
  const fileInput = useRef<HTMLInputElement>(null)

  /** Reads pasted rows directly from the clipboard, because a text field is slow with 100,000 rows. */
  function onPaste(event: ClipboardEvent) {
    const pasted = event.clipboardData.getData('text/plain')
    if (text !== '' || !/[\t\n,;|]/.test(pasted.trim())) return
    event.preventDefault()
    onSource(pasted)
  }

  return (
    <>
      <Message role="alert">{problem}</Message>
      <div className={styles.dropZone}>
        <Icon name="file-up" />
        <p>{messages.dropFile}</p>
        <Button variant="primary" onClick={() => fileInput.current?.click()}>
          {messages.chooseFile}
        </Button>
        <input
          ref={fileInput}
          type="file"
          hidden
          accept=".xlsx,.ods,.csv,.tsv,.txt,.json,.1pux,.xml,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet,application/vnd.oasis.opendocument.spreadsheet,text/csv,text/tab-separated-values,text/plain,application/json,text/xml"
          onChange={({ target }) => target.files?.[0] && onSource(target.files[0])}
        />
      </div>
      <label className={styles.pasteLabel} htmlFor="pasted-rows">
        {messages.pasteRows}
      </label>
      <textarea
        id="pasted-rows"
        className={styles.pasteField}
        rows={4}
        spellCheck={false}
        translate="no"
        placeholder={messages.pasteExample}
        value={text}
        onPaste={onPaste}
        onChange={({ target }) => onTextChange(target.value)}
        {...noAutofill}
      />
      {text.trim() !== '' && (
        <div>
          <Button onClick={() => onSource(text)}>{messages.readRows}</Button>
        </div>
      )}
      <p className={styles.hint}>{messages.programsHint}</p>
      <p className={styles.hint}>{messages.matchHint}</p>
    </>
  )
}

/** Asks for the password of a protected file. It stays in this browser, and only until the file has been read. */
export function FilePassword({ step, importFlow }: { step: StepOf<'locked'>; importFlow: ImportFlow }) {
  const { origin, problem } = step
  const [password, setPassword] = useState('')

  function open(event: FormEvent) {
    event.preventDefault()
    void importFlow.read(origin, { password })
  }

  return (
    <form className={styles.stepPanel} onSubmit={open}>
      <Message role="alert">{problem}</Message>
      <p className={styles.hint}>
        <Text>{messages.isProtected(isolate(origin.name))}</Text>
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
