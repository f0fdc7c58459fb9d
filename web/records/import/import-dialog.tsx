import { type ReactNode, useEffect, useRef } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { Dialog } from '../../ui/dialog.tsx'
import type { Outbox } from '../outbox/outbox.ts'
import styles from './import-dialog.module.css'
import { ImportPreview } from './import-preview.tsx'
import { ImportRefused, ImportResult, ImportSending } from './import-result.tsx'
import type { Incoming } from './open-source.ts'
import { SourceChooser } from './source-chooser.tsx'
import { type Step, useImport } from './use-import.ts'

interface ImportDialogProps {
  book: readonly Employee[]
  outbox: Outbox
  /** What was dropped or pasted on the page, also while the dialog is open. */
  incoming: Incoming | null
  /** What was put into the box by hand; it outlives the dialog. */
  typed: string
  onTyped(text: string): void
  onClose(): void
}

/** Brings a spreadsheet in: choose, look, import. Nothing is written before the last of them. */
export function ImportDialog({ book, outbox, incoming, typed, onTyped, onClose }: ImportDialogProps) {
  const importing = useImport(outbox)
  const { step } = importing
  const open = useRef(importing.open)
  open.current = importing.open

  useEffect(() => {
    if (incoming) void open.current(incoming.source)
  }, [incoming])

  useEffect(() => {
    if (step.step === 'done') onTyped('')
  }, [step.step, onTyped])

  return (
    <Dialog title={titleOf(step)} size="wide" canClose={step.step !== 'sending'} onClose={onClose}>
      <StepBox key={step.step} label={stepLabels[step.step]}>
        {step.step === 'choosing' && (
          <SourceChooser problem={step.problem} text={typed} onText={onTyped} onSource={importing.open} />
        )}
        {step.step === 'reading' && <p role="status">Reading …</p>}
        {step.step === 'looking' && (
          <ImportPreview
            book={book}
            step={step}
            onReading={importing.setReading}
            onBack={importing.chooseAgain}
            onImport={importing.send}
          />
        )}
        {step.step === 'sending' && <ImportSending sent={step.sent} onCancel={importing.cancel} />}
        {step.step === 'refused' && (
          <ImportRefused
            entry={step.entry}
            onRetry={() => importing.retry(step.entry)}
            onBack={() => importing.giveUp(step.entry)}
          />
        )}
        {step.step === 'done' && (
          <ImportResult
            entry={step.entry}
            leftOut={step.leftOut}
            onClose={onClose}
            onUndo={() => {
              void outbox.undo(step.entry.id)
              onClose()
            }}
          />
        )}
      </StepBox>
    </Dialog>
  )
}

const stepLabels: Record<Step['step'], string> = {
  choosing: 'Where the rows come from',
  reading: 'Reading',
  looking: 'What would be imported',
  sending: 'Importing',
  refused: 'Not imported',
  done: 'Imported',
}

/** Takes the focus when its step begins, because what had it before is gone; and begins at its top. */
function StepBox({ label, children }: { label: string; children: ReactNode }) {
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

function titleOf({ step }: Step): string {
  return step === 'done' ? 'Imported' : 'Import'
}
