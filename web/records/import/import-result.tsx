import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import { keptWords, resultWords } from '../outbox/batch-summary.ts'
import type { Entry } from '../outbox/entry.ts'
import styles from './import-dialog.module.css'

/** The import is on its way. It can be taken back until all of it has been sent. */
export function ImportSending({ sent, onCancel }: { sent: number; onCancel(): void }) {
  const isSent = sent >= 1
  return (
    <>
      <label className={styles.progress}>
        <span role="status">{isSent ? 'Saving …' : 'Sending …'}</span>
        <progress {...(isSent ? {} : { value: sent })} />
      </label>
      <p className={styles.hint}>All of it is saved, or nothing.</p>
      <div className={styles.footer}>
        <Button disabled={isSent} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </>
  )
}

interface ImportRefusedProps {
  entry: Extract<Entry, { state: 'refused' }>
  onRetry(): void
  onBack(): void
}

export function ImportRefused({ entry, onRetry, onBack }: ImportRefusedProps) {
  return (
    <>
      <Message role="alert">Not imported. {entry.refusal.message}</Message>
      <p className={styles.hint}>If you close this, the import waits above the table.</p>
      <div className={styles.footer}>
        <Button onClick={onBack}>Back</Button>
        <Button look="primary" onClick={onRetry}>
          Try again
        </Button>
      </div>
    </>
  )
}

interface ImportResultProps {
  entry: Extract<Entry, { state: 'imported' }>
  leftOut: number
  onUndo(): void
  onClose(): void
}

export function ImportResult({ entry, leftOut, onUndo, onClose }: ImportResultProps) {
  const { batch, result } = entry
  return (
    <>
      <p role="status" className={styles.result}>
        {resultWords(batch, result)}
        {leftOut > 0 && `, ${leftOut.toLocaleString()} left out`}
      </p>
      {result.kept.length > 0 && <Message role="alert">{keptWords(result.kept.length)}</Message>}
      <div className={styles.footer}>
        <Button onClick={onUndo}>Undo import</Button>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  )
}
