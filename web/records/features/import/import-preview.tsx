import { useId, useMemo } from 'react'
import { Button } from '../../../ui/button.tsx'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { Message, Text } from '../../../ui/message.tsx'
import type { RecordList } from '../../model/book/sync-employees.ts'
import { formatRecordCount } from '../../model/outbox/messages.ts'
import { ColumnMapping } from './column-mapping.tsx'
import styles from './import-preview.module.css'
import * as messages from './messages.ts'
import { buildPreview, outcomes } from './preview.ts'
import { FilteredRows } from './row-list.tsx'
import { type Encoding, encodings } from './source/decode.ts'
import type { ImportFlow, StepOf } from './use-import.ts'

interface ImportPreviewProps {
  list: RecordList
  step: StepOf<'previewing'>
  importFlow: ImportFlow
}

/** The second step: shows what the import would change. Updates when the records change. */
export function ImportPreview({ list, step, importFlow }: ImportPreviewProps) {
  const { origin, source, choice, readOptions, note } = step
  const { workbook } = source
  const { employees } = list
  const isLoaded = list.status === 'loaded'
  const { rows, counts, lackingCount, problem } = useMemo(
    () => buildPreview(source, readOptions, employees),
    [source, readOptions, employees],
  )
  const changeCount = counts.new + counts.changed
  const canImport = isLoaded && problem === null && changeCount > 0
  const isDecided = readOptions.hasHeader && counts.invalid === 0 && !source.hasUnclosedQuote && !note
  const summaryId = useId()
  const countsId = useId()

  const renderChoice = (label: string, choices: (readonly [string | number, string])[]) => (
    <label className={styles.encoding}>
      {label}
      <select
        value={choice ?? ''}
        onChange={({ target }) =>
          importFlow.read(origin, workbook ? Number(target.value) : (target.value as Encoding))
        }
      >
        {choices.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )

  return (
    <>
      <Message role="status">{note}</Message>
      <p id={countsId} role="status" className="visually-hidden">
        {outcomes
          .map((outcome) => `${messages.outcomes[outcome]}: ${counts[outcome].toLocaleString()}`)
          .join(', ')}
      </p>
      <div className={styles.source}>
        <p id={summaryId} className={styles.sourceSummary}>
          <strong>{source.name}</strong> <Text>{messages.rows(rows.length, source.program)}</Text>
        </p>
        {/* A file doesn't tell which one it is in. */}
        {source.encoding && renderChoice(messages.encoding, Object.entries(encodings))}
        {workbook &&
          workbook.names.length > 1 &&
          renderChoice(
            messages.sheet,
            workbook.names.map((name, index) => [index, name]),
          )}
      </div>
      {source.hasUnclosedQuote && <Message role="alert">{messages.unclosedQuote}</Message>}
      <Message role="status">
        {workbook !== null && workbook.hiddenRowCount > 0 && messages.hiddenRows(workbook.hiddenRowCount)}
      </Message>
      <ColumnMapping
        source={source}
        lackingCount={lackingCount}
        readOptions={readOptions}
        onReadOptionsChange={importFlow.setReadOptions}
      />
      <Message role="alert">{problem}</Message>
      <Message role="status">{!isLoaded && messages.notLoaded}</Message>
      <FilteredRows rows={rows} counts={counts} />
      <DialogFooter>
        <Button onClick={importFlow.restart}>{messages.back}</Button>
        <Button
          variant="primary"
          disabled={!canImport}
          // With nothing to decide, the next key press can import. What it would do is read out with the button.
          autoFocus={isDecided}
          aria-describedby={`${summaryId} ${countsId}`}
          // A key still held down from the step before must not import.
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={() => importFlow.send(step, rows)}
        >
          {changeCount === 0
            ? messages.nothingToImport
            : messages.importRecords(formatRecordCount(changeCount))}
        </Button>
      </DialogFooter>
    </>
  )
}
