import { type ClipboardEvent, type FormEvent, useRef, useState } from 'react'
import { fieldNames, fieldRules } from '../../../../contract/employees.ts'
import { t, translateLabel } from '../../../language/translate.ts'
import { noAutofill } from '../../../lib/dom.ts'
import { isolate } from '../../../lib/isolate.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Message, Text } from '../../../ui/message.tsx'
import type { ImportSource } from '../../model/view.ts'
import styles from './import-dialog.module.css'
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
        <p>{t('Drop a workbook, a CSV file or an export here, or')}</p>
        <Button variant="primary" onClick={() => fileInput.current?.click()}>
          {t('Choose a file')}
        </Button>
        <input
          ref={fileInput}
          type="file"
          hidden
          accept=".xlsx,.xlsm,.xlsb,.xls,.ods,.fods,.gnumeric,.dif,.slk,.dbf,.csv,.tsv,.txt,.json,.jsonl,.1pux,.1pif,.fsk,.xml,.plist,.html,.htm,.vcf,.ldif,.sql,.reg,.yaml,.yml,.md,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet,application/vnd.oasis.opendocument.spreadsheet,text/csv,text/tab-separated-values,text/plain,application/json,text/xml,text/html,text/vcard"
          onChange={({ target }) => target.files?.[0] && onSource(target.files[0])}
        />
      </div>
      <label className={styles.pasteLabel} htmlFor="pasted-rows">
        {t('Or paste rows from a spreadsheet')}
      </label>
      <textarea
        id="pasted-rows"
        className={styles.pasteField}
        rows={4}
        translate="no"
        placeholder={fieldNames.map((name) => translateLabel(fieldRules[name].label)).join('\t')}
        value={text}
        onPaste={onPaste}
        onChange={({ target }) => onTextChange(target.value)}
        {...noAutofill}
      />
      {text.trim() !== '' && (
        <div>
          <Button onClick={() => onSource(text)}>{t('Read these rows')}</Button>
        </div>
      )}
      <details className={styles.hint}>
        <summary>{t('Which exports can be read?')}</summary>
        {t(
          'Works with exports from 1Password (CSV or 1PUX), Apple Passwords, BambooHR, Bitwarden (CSV or JSON), Buttercup, Chrome, Dashlane, Edge, Enpass (CSV), F-Secure, Firefox, Google Workspace, Kaspersky, KeePass (CSV or XML), KeePassXC, Keeper, LastPass, Microsoft Entra, NordPass, Passbolt, Password Safe, Personio, Proton Pass, Psono (JSON), RoboForm, Safari, SafeInCloud (XML), Slack and Zoho Vault.',
        )}
      </details>
      <p className={styles.hint}>
        {t('Rows are matched to records by email. You see what will happen before anything is saved.')}
      </p>
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
    <form className={styles.step} onSubmit={open}>
      <Message role="alert">{problem}</Message>
      <p className={styles.hint}>
        <Text>{t('{file} is protected with a password of its own.', { file: isolate(origin.name) })}</Text>
      </p>
      <Field
        label={t('Password of the file')}
        type="password"
        autoFocus
        value={password}
        onChange={({ target }) => setPassword(target.value)}
        {...noAutofill}
        autoComplete="new-password"
      />
      <DialogFooter>
        <Button onClick={importFlow.restart}>{t('Back')}</Button>
        <Button variant="primary" type="submit" disabled={password === ''}>
          {t('Open')}
        </Button>
      </DialogFooter>
    </form>
  )
}
