import { type ClipboardEvent, useRef } from 'react'
import { noAutofill } from '../../lib/no-autofill.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Message } from '../../ui/message.tsx'
import styles from './import-dialog.module.css'
import type { ImportSource } from './parse-source.ts'

interface SourceChooserProps {
  problem: string
  /** What was put into the box by hand. */
  text: string
  onTextChange(text: string): void
  onSource(source: ImportSource): void
}

/** The first step: a file, or rows that are pasted. A file may be dropped anywhere. */
export function SourceChooser({ problem, text, onTextChange, onSource }: SourceChooserProps) {
  const fileInput = useRef<HTMLInputElement>(null)

  /** Straight from the clipboard: 100,000 rows would keep a text field busy for long. */
  function onPaste(event: ClipboardEvent) {
    const pasted = event.clipboardData.getData('text/plain')
    if (text !== '' || !/[\t\n,;|]/.test(pasted.trim())) return
    event.preventDefault()
    onSource(pasted)
  }

  return (
    <>
      <Message role="alert">{problem}</Message>
      <div className={styles.drop}>
        <Icon name="file-up" />
        <p>Drop a CSV file here, or</p>
        <Button variant="primary" onClick={() => fileInput.current?.click()}>
          Choose a file
        </Button>
        <input
          ref={fileInput}
          type="file"
          hidden
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
          onChange={({ target }) => target.files?.[0] && onSource(target.files[0])}
        />
      </div>
      <label className={styles.label} htmlFor="pasted-rows">
        Or paste rows from a spreadsheet
      </label>
      <textarea
        id="pasted-rows"
        className={styles.paste}
        rows={4}
        spellCheck={false}
        placeholder={'Employee Name\tEmail\tPassword'}
        value={text}
        onPaste={onPaste}
        onChange={({ target }) => onTextChange(target.value)}
        {...noAutofill}
      />
      {text.trim() !== '' && (
        <div className={styles.buttons}>
          <Button onClick={() => onSource(text)}>Read these rows</Button>
        </div>
      )}
      <p className={styles.hint}>
        Rows are matched to records by email. You see what will happen before anything is saved.
      </p>
    </>
  )
}
