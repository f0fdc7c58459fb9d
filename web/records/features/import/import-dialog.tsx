import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { type Message, msg, t } from '../../../language/translate.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Message as Notice } from '../../../ui/message.tsx'
import type { RecordList } from '../../model/book/sync-employees.ts'
import type { Outbox } from '../../model/outbox/outbox.ts'
import type { ImportSource } from '../../model/view.ts'
import styles from './import-dialog.module.css'
import { ImportPreview } from './import-preview.tsx'
import { ImportFailed, ImportResult, Progress } from './import-result.tsx'
import { FilePassword, SourceChooser } from './source-chooser.tsx'
import { type ImportStep, useImport } from './use-import.ts'

interface ImportDialogProps {
  list: RecordList
  outbox: Outbox
  /** A new one for each source that is dropped or pasted on the page, also while the dialog is open. */
  request: { source?: ImportSource; otherFileCount?: number }
  /** The content of the text field. Preserved while the dialog is closed. */
  pastedText: string
  onPastedTextChange(text: string): void
  /** The step that is shown. A preview in it is shown again when the dialog opens without a source. */
  kept: RefObject<ImportStep | null>
  onClose(): void
}

const stepLabels: Record<ImportStep['step'], Message> = {
  choosing: msg('Where the rows come from'),
  reading: msg('Reading'),
  locked: msg('Password'),
  previewing: msg('What would be imported'),
  sending: msg('Importing'),
  failed: msg('Not imported'),
  done: msg('Imported'),
}

/** Imports a spreadsheet in three steps: choose, preview, import. Only the last one changes records. */
export function ImportDialog(props: ImportDialogProps) {
  const { list, outbox, request, onPastedTextChange, kept, onClose } = props
  const importFlow = useImport(outbox, request.source === undefined ? kept.current : null)
  const { step } = importFlow

  useEffect(() => {
    kept.current = step
  }, [step, kept])

  const read = useEffectEvent(importFlow.read)
  useEffect(() => {
    if (request.source) void read(request.source)
  }, [request])

  useEffect(() => {
    if (step.step === 'done') onPastedTextChange('')
  }, [step.step, onPastedTextChange])

  function renderStep() {
    switch (step.step) {
      case 'choosing':
        return (
          <SourceChooser
            problem={step.problem}
            text={props.pastedText}
            onTextChange={onPastedTextChange}
            onSource={importFlow.read}
          />
        )
      case 'reading':
        return <Progress of="reading" progress={step.progress} onCancel={importFlow.restart} />
      case 'locked':
        return <FilePassword step={step} importFlow={importFlow} />
      case 'previewing':
        return <ImportPreview list={list} step={step} importFlow={importFlow} />
      case 'sending':
        return <Progress of="sending" progress={step.progress} onCancel={importFlow.cancel} />
      case 'failed':
        return <ImportFailed entry={step.entry} importFlow={importFlow} />
      case 'done':
        return <ImportResult step={step} list={list} outbox={outbox} onClose={onClose} />
    }
  }

  return (
    <Dialog
      title={step.step === 'done' ? t('Imported') : t('Import')}
      size="wide"
      canClose={step.step !== 'sending'}
      onClose={onClose}
    >
      <Notice role="status">{step.step !== 'done' && describeOtherFiles(request.otherFileCount)}</Notice>
      <StepPanel key={step.step} label={t(stepLabels[step.step])}>
        {renderStep()}
      </StepPanel>
    </Dialog>
  )
}

const describeOtherFiles = (count = 0) =>
  count > 0 &&
  t(
    '{count, plural, one {# other file came with it. It is not read: import one file after the other.} other {# other files came with it. They are not read: import one file after the other.}}',
    { count },
  )

/** Focuses itself when its step begins, because the focused element is gone, unless something in it has the focus. Scrolls up. */
function StepPanel({ label, children }: { label: string; children: ReactNode }) {
  const panel = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    const { current } = panel
    if (!current?.contains(document.activeElement)) current?.focus({ preventScroll: true })
    current?.closest('dialog')?.scrollTo(0, 0)
  }, [])
  return (
    <fieldset ref={panel} tabIndex={-1} className={styles.stepPanel} aria-label={label}>
      {children}
    </fieldset>
  )
}
