import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import { describeConflicts, describeResult } from '../outbox/batch-summary.ts'
import type { Entry } from '../outbox/entry.ts'
import styles from './import-dialog.module.css'

/** Progress of an import, from 0 to 1. It can be cancelled until it has been sent completely. */
export function ImportProgress({ progress, onCancel }: { progress: number; onCancel(): void }) {
  const isSent = progress >= 1
  return (
    <>
      <label className={styles.progress}>
        <span role="status">{isSent ? 'Saving…' : 'Sending…'}</span>
        <progress {...(isSent ? {} : { value: progress })} />
      </label>
      <p className={styles.hint}>Either every row is saved or none.</p>
      <div className={styles.footer}>
        <Button disabled={isSent} onClick={onCancel}>
          Cancel
        </Button>
      </div>
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
      <Message role="alert">Not imported. {entry.refusal.message}</Message>
      <p className={styles.hint}>You can close this; the import stays above the table.</p>
      <div className={styles.footer}>
        <Button onClick={onBack}>Back</Button>
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
      </div>
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
        {skippedCount > 0 && `, ${skippedCount.toLocaleString()} left out`}
      </p>
      {result.kept.length > 0 && <Message role="alert">{describeConflicts(result.kept.length)}</Message>}
      <div className={styles.footer}>
        <Button onClick={onUndo}>Undo import</Button>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  )
}
