import { type Employee, type EmployeeFields, secretFieldNames } from '../../../contract/employees.ts'
import { Button } from '../../ui/button.tsx'
import { DialogFooter } from '../../ui/dialog.tsx'
import { Message } from '../../ui/message.tsx'
import { tryAgain } from '../../ui/messages.ts'
import { CopyList, HandOverAll } from '../export/copy-list.tsx'
import type { EntryInState } from '../outbox/entry.ts'
import { describeConflicts, describeResult } from '../outbox/messages.ts'
import styles from './import-dialog.module.css'
import * as messages from './messages.ts'

/** Progress of an import, from 0 to 1. It can be cancelled until it has been sent completely. */
export function ImportProgress({ progress, onCancel }: { progress: number; onCancel(): void }) {
  const isSent = progress >= 1
  return (
    <>
      <label className={styles.progress}>
        <span role="status">{isSent ? messages.saving : messages.sending}</span>
        <progress {...(isSent ? {} : { value: progress })} />
      </label>
      <p className={styles.hint}>{messages.allOrNothing}</p>
      <DialogFooter>
        <Button disabled={isSent} onClick={onCancel}>
          {messages.cancel}
        </Button>
      </DialogFooter>
    </>
  )
}

interface ImportFailedProps {
  entry: EntryInState<'refused'>
  onRetry(): void
  onBack(): void
}

export function ImportFailed({ entry, onRetry, onBack }: ImportFailedProps) {
  return (
    <>
      <Message role="alert">{messages.failed(entry.refusal.message)}</Message>
      <p className={styles.hint}>{messages.canClose}</p>
      <DialogFooter>
        <Button onClick={onBack}>{messages.back}</Button>
        <Button variant="primary" onClick={onRetry}>
          {tryAgain}
        </Button>
      </DialogFooter>
    </>
  )
}

interface ImportResultProps {
  entry: EntryInState<'imported'>
  skippedCount: number
  generated: readonly EmployeeFields[]
  onUndo(): void
  onClose(): void
}

export function ImportResult({ entry, skippedCount, generated, onUndo, onClose }: ImportResultProps) {
  const { batch, result } = entry
  return (
    <>
      <p role="status" className={styles.result}>
        {describeResult(batch, result)}
        {messages.andSkipped(skippedCount)}
      </p>
      {result.kept.length > 0 && <Message role="alert">{describeConflicts(result.kept.length)}</Message>}
      {generated.length > 0 && (
        <div className={styles.generated}>
          <p className={styles.hint}>{messages.generated(generated.length)}</p>
          <CopyList employees={generated} />
        </div>
      )}
      <DialogFooter>
        <Button onClick={onUndo}>{messages.undoImport}</Button>
        <HandOverAll records={listNewPasswords(entry)} />
        <Button variant="primary" autoFocus onClick={onClose}>
          {messages.done}
        </Button>
      </DialogFooter>
    </>
  )
}

/** Lists the records that the import has added, or given another password. */
function listNewPasswords({ batch, result }: EntryInState<'imported'>): Employee[] {
  const added = batch.add.map((fields, i) => ({ ...fields, id: result.ids[i] ?? '' }))
  const updated = batch.update.filter(({ seen, fields }) =>
    secretFieldNames.some((name) => fields[name] !== seen[name]),
  )
  return [...added, ...updated.map(({ seen, fields }) => ({ ...fields, id: seen.id }))].filter(
    ({ id }) => !result.kept.includes(id),
  )
}
