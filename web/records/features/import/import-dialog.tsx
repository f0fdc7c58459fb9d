import { Component, createRef, type ReactNode, type RefObject, useEffect, useEffectEvent } from 'react'
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
      <StepPanel step={step.step}>{renderStep()}</StepPanel>
    </Dialog>
  )
}

const describeOtherFiles = (count = 0) =>
  count > 0 &&
  t(
    '{count, plural, one {# other file came with it. It is not read: import one file after the other.} other {# other files came with it. They are not read: import one file after the other.}}',
    { count },
  )

interface StepPanelProps {
  step: ImportStep['step']
  children: ReactNode
}

/**
 * Has the focus from when a step ends, whose pressed button is removed, until something in the next one takes it. Moved after the
 * removal, it would be lost for a moment, in which screen readers look for another place and read that out.
 */
class StepPanel extends Component<StepPanelProps> {
  panel = createRef<HTMLFieldSetElement>()

  // Before elements are removed, which no hook is told.
  override getSnapshotBeforeUpdate({ step }: StepPanelProps) {
    const { current } = this.panel
    if (step !== this.props.step && current?.contains(document.activeElement)) focusPanel(current)
    return null
  }

  override componentDidUpdate({ step }: StepPanelProps) {
    const { current } = this.panel
    if (step === this.props.step || !current) return
    if (!current.contains(document.activeElement)) focusPanel(current)
    current.closest('dialog')?.scrollTo(0, 0)
  }

  override render() {
    const { step, children } = this.props
    return (
      <fieldset
        ref={this.panel}
        tabIndex={-1}
        className={styles.stepPanel}
        aria-label={t(stepLabels[step])}
        data-first
      >
        {/* Orca takes choices that come together with a focused button for what was chosen, unless both are in one block. */}
        <div key={step} className={styles.step}>
          {children}
        </div>
      </fieldset>
    )
  }
}

const focusPanel = (panel: HTMLElement) => panel.focus({ preventScroll: true })
