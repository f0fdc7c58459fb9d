import { Button } from '../../ui/button.tsx'
import { DialogFooter } from '../../ui/dialog.tsx'
import { Message } from '../../ui/message.tsx'
import { tryAgain } from '../../ui/words.ts'
import type { Entry } from '../outbox/entry.ts'
import { describeConflicts, describeResult } from '../outbox/words.ts'
import styles from './import-dialog.module.css'
import * as words from './words.ts'

/** Progress of an import, from 0 to 1. It can be cancelled until it has been sent completely. */
export function ImportProgress({ progress, onCancel }: { progress: number; onCancel(): void }) {
  const isSent = progress >= 1
  return (
    <>
      <label className={styles.progress}>
        <span role="status">{isSent ? words.saving : words.sending}</span>
        <progress {...(isSent ? {} : { value: progress })} />
      </label>
      <p className={styles.hint}>{words.allOrNothing}</p>
      <DialogFooter>
        <Button disabled={isSent} onClick={onCancel}>
          {words.cancel}
        </Button>
      </DialogFooter>
    </>
  )
}

interface ImportFailedProps {
  entry: Extract<Entry, { state: 'refused' }>
  onRetry(): void
  onBack(): void
}

export function ImportFailed({ entry, onRetry, onBack }: ImportFailedProps) {
  return (
    <>
      <Message role="alert">{words.failed(entry.refusal.message)}</Message>
      <p className={styles.hint}>{words.canClose}</p>
      <DialogFooter>
        <Button onClick={onBack}>{words.back}</Button>
        <Button variant="primary" onClick={onRetry}>
          {tryAgain}
        </Button>
      </DialogFooter>
    </>
  )
}

interface ImportResultProps {
  entry: Extract<Entry, { state: 'imported' }>
  skippedCount: number
  onUndo(): void
  onClose(): void
}

export function ImportResult({ entry, skippedCount, onUndo, onClose }: ImportResultProps) {
  const { batch, result } = entry
  return (
    <>
      <p role="status" className={styles.result}>
        {describeResult(batch, result)}
        {words.leftOut(skippedCount)}
      </p>
      {result.kept.length > 0 && <Message role="alert">{describeConflicts(result.kept.length)}</Message>}
      <DialogFooter>
        <Button onClick={onUndo}>{words.undoImport}</Button>
        <Button variant="primary" autoFocus onClick={onClose}>
          {words.done}
        </Button>
      </DialogFooter>
    </>
  )
}
