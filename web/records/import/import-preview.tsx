import { useMemo, useState } from 'react'
import { type Batch, sizeOf } from '../../../contract/batches.ts'
import type { Employee } from '../../../contract/employees.ts'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import { recordsOf } from '../outbox/batch-summary.ts'
import { ColumnChoice } from './column-choice.tsx'
import styles from './import-dialog.module.css'
import { KindFilter, kindLabels } from './kind-filter.tsx'
import { batchOf } from './match-rows.ts'
import type { OpenedSource } from './open-source.ts'
import { type Kind, kinds, previewOf, type Reading } from './preview.ts'
import { RowList } from './row-list.tsx'
import type { Step } from './use-import.ts'

interface ImportPreviewProps {
  book: readonly Employee[]
  step: Extract<Step, { step: 'looking' }>
  onReading(reading: Reading): void
  onBack(): void
  /** `leftOut`: how many rows are wrong, and stay out. */
  onImport(batch: Batch, leftOut: number): void
}

/** The second step: what would happen to the register as it is at this moment. */
export function ImportPreview({ book, step, onReading, onBack, onImport }: ImportPreviewProps) {
  const { source, reading, note } = step
  const { rows, counts, problem } = useMemo(() => previewOf(source, reading, book), [source, reading, book])
  const batch = useMemo(() => batchOf(rows), [rows])
  const [kind, setKind] = useState<Kind | null>(null)
  const shown = useMemo(() => (kind ? rows.filter(({ verdict }) => verdict === kind) : rows), [rows, kind])
  const size = sizeOf(batch)

  return (
    <>
      <Message role="status">{note}</Message>
      <p role="status" className="visually-hidden">
        {kinds.map((kind) => `${kindLabels[kind]}: ${counts[kind].toLocaleString()}`).join(', ')}
      </p>
      <p className={styles.source}>
        <strong>{source.name}</strong> {aboutSource(source, rows.length)}
      </p>
      {source.hasOpenQuote && (
        <Message role="alert">
          A quotation mark in it is opened and never closed: the rows after it are read as one.
        </Message>
      )}
      <ColumnChoice source={source} reading={reading} onReading={onReading} />
      <Message role="alert">{problem}</Message>
      <KindFilter counts={counts} total={rows.length} kind={kind} onKind={setKind} />
      <RowList key={kind ?? 'all'} rows={shown} />
      <div className={styles.footer}>
        <Button onClick={onBack}>Back</Button>
        <Button
          look="primary"
          disabled={problem !== null || size === 0}
          onClick={() => onImport(batch, counts.wrong)}
        >
          {size === 0 ? 'Nothing to import' : `Import ${recordsOf(size)}`}
        </Button>
      </div>
    </>
  )
}

function aboutSource({ encoding }: OpenedSource, count: number): string {
  const rows = count === 1 ? '1 row' : `${count.toLocaleString()} rows`
  return encoding && encoding !== 'utf-8' ? `· ${rows} · read as ${encoding}` : `· ${rows}`
}
