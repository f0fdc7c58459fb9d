import { type ReactNode, useEffect, useRef } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { Dialog } from '../../ui/dialog.tsx'
import type { Outbox } from '../outbox/outbox.ts'
import styles from './import-dialog.module.css'
import { ImportPreview } from './import-preview.tsx'
import { ImportFailed, ImportProgress, ImportResult } from './import-result.tsx'
import type { DroppedSource } from './parse-source.ts'
import { SourceChooser } from './source-chooser.tsx'
import { type ImportStep, useImport } from './use-import.ts'

interface ImportDialogProps {
  employees: readonly Employee[]
  outbox: Outbox
  /** What was dropped or pasted on the page, also while the dialog is open. */
  droppedSource: DroppedSource | null
  /** What was put into the box by hand; it outlives the dialog. */
  pastedText: string
  onPastedTextChange(text: string): void
  onClose(): void
}

/** Brings a spreadsheet in: choose, look, import. Nothing is written before the last of them. */
export function ImportDialog({
  employees,
  outbox,
  droppedSource,
  pastedText,
  onPastedTextChange,
  onClose,
}: ImportDialogProps) {
  const importFlow = useImport(outbox)
  const { step } = importFlow
  const open = useRef(importFlow.open)
  open.current = importFlow.open

  useEffect(() => {
    if (droppedSource) void open.current(droppedSource.source)
  }, [droppedSource])

  useEffect(() => {
    if (step.step === 'done') onPastedTextChange('')
  }, [step.step, onPastedTextChange])

  return (
    <Dialog title={getTitle(step)} size="wide" canClose={step.step !== 'sending'} onClose={onClose}>
      <StepPanel key={step.step} label={stepLabels[step.step]}>
        {step.step === 'choosing' && (
          <SourceChooser
            problem={step.problem}
            text={pastedText}
            onTextChange={onPastedTextChange}
            onSource={importFlow.open}
          />
        )}
        {step.step === 'reading' && <p role="status">Reading …</p>}
        {step.step === 'previewing' && (
          <ImportPreview
            employees={employees}
            step={step}
            onReadOptionsChange={importFlow.setReadOptions}
            onBack={importFlow.restart}
            onImport={importFlow.send}
          />
        )}
        {step.step === 'sending' && <ImportProgress sent={step.progress} onCancel={importFlow.cancel} />}
        {step.step === 'failed' && (
          <ImportFailed
            entry={step.entry}
            onRetry={() => importFlow.retry(step.entry)}
            onBack={() => importFlow.discard(step.entry)}
          />
        )}
        {step.step === 'done' && (
          <ImportResult
            entry={step.entry}
            skippedCount={step.skippedCount}
            onClose={onClose}
            onUndo={() => {
              void outbox.undo(step.entry.id)
              onClose()
            }}
          />
        )}
      </StepPanel>
    </Dialog>
  )
}

const stepLabels: Record<ImportStep['step'], string> = {
  choosing: 'Where the rows come from',
  reading: 'Reading',
  previewing: 'What would be imported',
  sending: 'Importing',
  failed: 'Not imported',
  done: 'Imported',
}

/** Takes the focus when its step begins, because what had it before is gone; and begins at its top. */
function StepPanel({ label, children }: { label: string; children: ReactNode }) {
  const box = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    box.current?.focus({ preventScroll: true })
    box.current?.closest('dialog')?.scrollTo(0, 0)
  }, [])
  return (
    <fieldset ref={box} tabIndex={-1} className={styles.step} aria-label={label}>
      {children}
    </fieldset>
  )
}

function getTitle({ step }: ImportStep): string {
  return step === 'done' ? 'Imported' : 'Import'
}
