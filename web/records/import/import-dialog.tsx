import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { Dialog } from '../../ui/dialog.tsx'
import type { Outbox } from '../outbox/outbox.ts'
import styles from './import-dialog.module.css'
import { ImportPreview } from './import-preview.tsx'
import { ImportFailed, ImportProgress, ImportResult } from './import-result.tsx'
import * as messages from './messages.ts'
import type { DroppedSource } from './source/parse-source.ts'
import { SourceChooser } from './source-chooser.tsx'
import { type ImportFlow, useImport } from './use-import.ts'

interface ImportDialogProps {
  /** False until the complete list has been loaded once, and when the session has ended. */
  isLoaded: boolean
  employees: readonly Employee[]
  outbox: Outbox
  /** The last source that was dropped or pasted on the page, also while the dialog is open. */
  droppedSource: DroppedSource | null
  /** The content of the text field. Preserved while the dialog is closed. */
  pastedText: string
  onPastedTextChange(text: string): void
  onClose(): void
}

/** Imports a spreadsheet in three steps: choose, preview, import. Only the last one changes records. */
export function ImportDialog(props: ImportDialogProps) {
  const { outbox, droppedSource, onPastedTextChange, onClose } = props
  const importFlow = useImport(outbox)
  const { step } = importFlow

  const openDroppedSource = useEffectEvent(({ source }: DroppedSource) => void importFlow.open(source))
  useEffect(() => {
    if (droppedSource) openDroppedSource(droppedSource)
  }, [droppedSource])

  useEffect(() => {
    if (step.step === 'done') onPastedTextChange('')
  }, [step.step, onPastedTextChange])

  return (
    <Dialog
      title={step.step === 'done' ? messages.doneTitle : messages.title}
      size="wide"
      canClose={step.step !== 'sending'}
      onClose={onClose}
    >
      <StepPanel key={step.step} label={messages.steps[step.step]}>
        {renderStep(importFlow, props)}
      </StepPanel>
    </Dialog>
  )
}

function renderStep(importFlow: ImportFlow, props: ImportDialogProps): ReactNode {
  const { step } = importFlow
  switch (step.step) {
    case 'choosing':
      return (
        <SourceChooser
          problem={step.problem}
          text={props.pastedText}
          onTextChange={props.onPastedTextChange}
          onSource={importFlow.open}
        />
      )
    case 'reading':
      return <p role="status">{messages.reading}</p>
    case 'previewing':
      return (
        <ImportPreview
          isLoaded={props.isLoaded}
          employees={props.employees}
          step={step}
          importFlow={importFlow}
        />
      )
    case 'sending':
      return <ImportProgress progress={step.progress} onCancel={importFlow.cancel} />
    case 'failed':
      return (
        <ImportFailed
          entry={step.entry}
          onRetry={() => importFlow.retry(step.entry)}
          onBack={() => importFlow.discard(step.entry)}
        />
      )
    case 'done':
      return (
        <ImportResult
          entry={step.entry}
          skippedCount={step.skippedCount}
          generated={props.isLoaded ? step.generated : []}
          onClose={props.onClose}
          onUndo={() => {
            void props.outbox.undo(step.entry.id)
            props.onClose()
          }}
        />
      )
  }
}

/**
 * Focuses itself when its step begins, because the focused element of the previous step is gone, unless something in it has
 * taken the focus. Scrolls to the top.
 */
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
