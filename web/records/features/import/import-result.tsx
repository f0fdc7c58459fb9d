import { useId, useMemo, useState } from 'react'
import { type Employee, fieldOf, secretFieldNames } from '../../../../contract/employees.ts'
import { t } from '../../../language/translate.ts'
import { copyAndClear } from '../../../lib/clear-clipboard.ts'
import { useRootAttribute } from '../../../lib/use-root-attribute.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { Message, Text } from '../../../ui/message.tsx'
import { describeConflicts, describeResult } from '../../model/book/operation.ts'
import type { RecordList } from '../../model/book/sync-employees.ts'
import { visibleFieldNames } from '../../model/fields.ts'
import type { EntryInState } from '../../model/outbox/entry.ts'
import type { Outbox } from '../../model/outbox/outbox.ts'
import { useCopyList, useHandOverAll } from '../../model/spreadsheet/copy-list.ts'
import { escapeFormula } from '../../model/spreadsheet/escape-formulas.ts'
import styles from './import-dialog.module.css'
import type { MatchedRow } from './matching/match-rows.ts'
import { countOutcomes, describeRow } from './preview.ts'
import { FilteredRows } from './row-list.tsx'
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
  const labelId = useId()
  return (
    <>
      {/* No label element, which is clickable for screen readers. */}
      <div className={styles.progress}>
        <span id={labelId} role="status">
          {isSent ? t('Saving…') : label}
        </span>
        <progress aria-labelledby={labelId} {...(progress === null || isSent ? {} : { value: progress })} />
      </div>
      {of === 'sending' && <p className={styles.hint}>{t('Either every row is saved or none.')}</p>}
      <DialogFooter>
        <Button isDone={isSent} onClick={onCancel}>
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

/** What has become of a row. Whatever the reason, one that was not imported is called the same afterwards. */
function toResult(row: MatchedRow): MatchedRow {
  if (row.outcome === 'new') return { ...row, isImported: true }
  return row.outcome === 'invalid' ? { ...row, outcome: 'skipped' } : row
}

export function ImportResult({ step, list, outbox, onClose }: ImportResultProps) {
  const { entry } = step
  const { batch, result } = entry
  const rows = useMemo(() => step.rows.map(toResult), [step])
  const added = rows.filter((row) => row.outcome === 'new')
  const handOver = useHandOverAll(listNewPasswords(entry))
  const generated = list.status === 'loaded' ? batch.add.filter((_, i) => added[i]?.lacksSecret) : []
  const [outcome, setOutcome] = useState('')
  const copy = useCopyList(generated, setOutcome)
  const resultId = useId()
  const counts = useMemo(() => countOutcomes(rows), [rows])
  const wasInvalid = step.rows.some(({ outcome }) => outcome === 'invalid')
  const left = rows.filter((row) => 'reason' in row)
  useRootAttribute('data-import-result')

  function undo() {
    void outbox.undo(entry.id)
    onClose()
  }

  return (
    <>
      <p id={resultId} className={styles.result}>
        {left.length > 0
          ? t('{result}, {count, number} skipped', {
              result: describeResult(batch, result),
              count: left.length,
            })
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
          <Button onClick={copy}>{t('Copy with passwords')}</Button>
          <span role="status">
            <Text>{outcome}</Text>
          </span>
        </div>
      )}
      <FilteredRows rows={rows} counts={counts} first={wasInvalid ? 'skipped' : null} isDone />
      {left.length > 0 && <CopyRows rows={left} />}
      <DialogFooter>
        <Button onClick={undo}>{t('Undo import')}</Button>
        {handOver && <Button onClick={handOver}>{t('Hand over all')}</Button>}
        {/* It gets the focus, with which the result is read out: the announcement of a live region may get lost then. */}
        <Button variant="primary" autoFocus aria-describedby={resultId} onClick={onClose}>
          {t('Done')}
        </Button>
      </DialogFooter>
    </>
  )
}

/** Copies which rows were not imported, and why: never a secret. */
function CopyRows({ rows }: { rows: readonly MatchedRow[] }) {
  const [outcome, setOutcome] = useState('')

  async function copy() {
    const lines = rows.map((row) =>
      [row.number, ...visibleFieldNames.map((name) => fieldOf(row.fields, name)), describeRow(row)]
        .map((cell) => escapeFormula(`${cell}`.replace(/\s+/g, ' ')))
        .join('\t'),
    )
    const isCopied = await copyAndClear(lines.join('\n'), false)
    setOutcome(
      isCopied ? t('Copied.') : t('Your browser blocked copying. Select the text and copy it by hand.'),
    )
  }

  return (
    <div className={styles.copy}>
      <Button onClick={copy}>{t('Copy the skipped rows')}</Button>
      <span role="status" className={styles.hint}>
        <Text>{outcome}</Text>
      </span>
    </div>
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
