import { type Employee, fieldOf, secretFieldNames } from '../../../../contract/employees.ts'
import { t } from '../../../language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { Message, Text } from '../../../ui/message.tsx'
import { describeConflicts, describeResult } from '../../model/book/operation.ts'
import type { RecordList } from '../../model/book/sync-employees.ts'
import type { EntryInState } from '../../model/outbox/entry.ts'
import type { Outbox } from '../../model/outbox/outbox.ts'
import { useCopyList, useHandOverAll } from '../../model/spreadsheet/copy-list.ts'
import styles from './import-dialog.module.css'
import type { ImportFlow, StepOf } from './use-import.ts'

interface ProgressProps {
  of: 'reading' | 'sending'
  /** From 0 to 1; null if it is not known. */
  progress: number | null
  onCancel(): void
}

/** The progress of reading, or of sending, which can be cancelled until everything has been sent. */
export function Progress({ of, progress, onCancel }: ProgressProps) {
  const isSent = of === 'sending' && (progress ?? 0) >= 1
  const label = of === 'sending' ? t('Sending…') : t('Reading…')
  return (
    <>
      <label className={styles.progress}>
        <span role="status">{isSent ? t('Saving…') : label}</span>
        <progress {...(progress === null || isSent ? {} : { value: progress })} />
      </label>
      {of === 'sending' && <p className={styles.hint}>{t('Either every row is saved or none.')}</p>}
      <DialogFooter>
        <Button disabled={isSent} onClick={onCancel}>
          {t('Cancel')}
        </Button>
      </DialogFooter>
    </>
  )
}

interface ImportFailedProps {
  entry: EntryInState<'refused'>
  importFlow: ImportFlow
}

export function ImportFailed({ entry, importFlow }: ImportFailedProps) {
  return (
    <>
      <Message role="alert">{t('Not imported. {reason}', { reason: entry.refusal.message })}</Message>
      <p className={styles.hint}>{t('You can close this; the import stays above the table.')}</p>
      <DialogFooter>
        <Button onClick={() => importFlow.discard(entry)}>{t('Back')}</Button>
        <Button variant="primary" onClick={() => importFlow.retry(entry)}>
          {t('Try again')}
        </Button>
      </DialogFooter>
    </>
  )
}

interface ImportResultProps {
  step: StepOf<'done'>
  list: RecordList
  outbox: Outbox
  onClose(): void
}

export function ImportResult({ step: { entry, rows }, list, outbox, onClose }: ImportResultProps) {
  const { batch, result } = entry
  const added = rows.filter((row) => row.outcome === 'new')
  const handOver = useHandOverAll(listNewPasswords(entry))
  const generated = list.status === 'loaded' ? batch.add.filter((_, i) => added[i]?.lacksSecret) : []
  const { copy, outcome } = useCopyList(generated)
  const skipped = rows.filter((row) => 'reason' in row).length

  function undo() {
    void outbox.undo(entry.id)
    onClose()
  }

  return (
    <>
      <p role="status" className={styles.result}>
        {skipped > 0
          ? t('{result}, {count, number} skipped', { result: describeResult(batch, result), count: skipped })
          : describeResult(batch, result)}
      </p>
      {result.kept.length > 0 && <Message role="alert">{describeConflicts(result.kept.length)}</Message>}
      {generated.length > 0 && (
        <div className={styles.generated}>
          <p className={styles.hint}>
            {t(
              '{count, plural, one {# password was generated. To hand it over, copy the list now; later, show each in the table.} other {# passwords were generated. To hand them over, copy the list now; later, show each in the table.}}',
              { count: generated.length },
            )}
          </p>
          <Button onClick={copy}>{t('Copy the list')}</Button>
          <span role="status">
            <Text>{outcome}</Text>
          </span>
        </div>
      )}
      <DialogFooter>
        <Button onClick={undo}>{t('Undo import')}</Button>
        {handOver && <Button onClick={handOver}>{t('Hand over all')}</Button>}
        <Button variant="primary" autoFocus onClick={onClose}>
          {t('Done')}
        </Button>
      </DialogFooter>
    </>
  )
}

/** Lists the records that the import has added, or given another password. */
function listNewPasswords({ batch, result }: EntryInState<'imported'>): Employee[] {
  const added = batch.add.map((fields, i) => ({ ...fields, id: result.ids[i] ?? '' }))
  const updated = batch.update.filter(({ seen, fields }) =>
    secretFieldNames.some((name) => fieldOf(fields, name) !== fieldOf(seen, name)),
  )
  return [...added, ...updated.map(({ seen, fields }) => ({ ...fields, id: seen.id }))].filter(
    ({ id }) => !result.kept.includes(id),
  )
}
