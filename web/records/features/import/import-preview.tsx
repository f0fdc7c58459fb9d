import { useEffect, useId, useRef } from 'react'
import { currentLanguage, t } from '../../../language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { useLiveRegion } from '../../../ui/live-region.tsx'
import { Message, Text } from '../../../ui/message.tsx'
import type { RecordList } from '../../model/book/sync-employees.ts'
import { ColumnMapping } from './column-mapping.tsx'
import styles from './import-preview.module.css'
import { Progress } from './import-result.tsx'
import type { Preview } from './preview.ts'
import { FilteredRows } from './row-list.tsx'
import { describeEncoding, encodings } from './source/encodings/encodings.ts'
import type { SourceChoice } from './source/parse-source.ts'
import { hasDoubts, SourceNotes } from './source-notes.tsx'
import { type ImportFlow, isUpToDate, type StepOf } from './use-import.ts'
import { usePreview } from './use-preview.ts'

interface ImportPreviewProps {
  list: RecordList
  step: StepOf<'previewing'>
  importFlow: ImportFlow
}

/** The second step: shows what the import would change. Updates when the records change. */
export function ImportPreview({ list, step, importFlow }: ImportPreviewProps) {
  const { source, readOptions, note } = step
  const preview = usePreview(source, readOptions, list.employees)
  const summaryId = useId()
  const countsId = useId()
  const problemId = useId()
  if (!preview) return <Progress of="reading" progress={null} onCancel={importFlow.restart} />

  const { rows, counts, lackingCount, spacedCounts, problem, missingField, isCurrent } = preview
  const isLoaded = list.status === 'loaded'
  const changeCount = counts.new + counts.changed
  const canImport = isLoaded && isCurrent && isUpToDate(step) && problem === null && changeCount > 0
  const hasSpaces = Object.values(spacedCounts).some((count) => count > 0)
  const { isPasswordGuessed, isNameGuessed, isEmailGuessed } = readOptions
  const isGuess = source.isEncodingUnsure || isPasswordGuessed || isNameGuessed || isEmailGuessed
  const mayBeEscaped = source.workbook !== null && source.escapedCellCount > 0
  const isDoubtful = hasDoubts(source, preview) || hasSpaces || mayBeEscaped
  const isDecided = readOptions.hasHeader && counts.invalid === 0 && !isDoubtful && !isGuess && !note
  return (
    <>
      <Message role="status">{note}</Message>
      <Counts id={countsId} counts={counts} isReadOut={isDecided} />
      <SourceSummary id={summaryId} step={step} rowCount={rows.length} importFlow={importFlow} />
      <SourceNotes source={source} readOptions={readOptions} preview={preview} />
      <Message {...{ role: 'alert', id: problemId }}>{problem}</Message>
      <ColumnMapping
        source={source}
        lackingCount={lackingCount}
        spacedCounts={spacedCounts}
        missingField={missingField}
        problemId={problemId}
        readOptions={readOptions}
        onReadOptionsChange={importFlow.setReadOptions}
      />
      <Message role="status">{!isLoaded && t('You can import as soon as all records are loaded.')}</Message>
      <FilteredRows rows={rows} counts={counts} />
      <DialogFooter>
        <Button onClick={importFlow.restart}>{t('Back')}</Button>
        <Button
          variant="primary"
          // Not disabled: the focus would be lost when the records or the choices change.
          isDone={!canImport}
          // With nothing to decide, the next key press can import. What it would do is read out with the button.
          autoFocus={isDecided}
          aria-describedby={`${summaryId} ${countsId}`}
          // A key still held down from the step before must not import.
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={() => importFlow.send(step, rows)}
        >
          {changeCount === 0
            ? t('Nothing to import')
            : t('Import {count, plural, one {# record} other {# records}}', { count: changeCount })}
        </Button>
      </DialogFooter>
    </>
  )
}

/** What the import would do, for screen readers. Announced when it changes, and at first unless it is read out with the button. */
function Counts({ id, counts, isReadOut }: { id: string; counts: Preview['counts']; isReadOut: boolean }) {
  const text = t(
    'New: {new, number}, Changed: {changed, number}, Unchanged: {unchanged, number}, Can’t import: {invalid, number}, Skipped: {skipped, number}',
    counts,
  )
  const { liveRegion, announce } = useLiveRegion()
  const known = useRef(isReadOut ? text : '')
  useEffect(() => {
    if (text !== known.current) announce(text)
    known.current = text
  }, [text, announce])
  return (
    <>
      <p id={id} hidden>
        {text}
      </p>
      {liveRegion}
    </>
  )
}

function describeRowCount(count: number, program: string | null): string {
  if (!program) return t('{count, plural, one {# row} other {# rows}}', { count })
  // Programs whose files are the same are one, such as `Chrome or Edge`.
  const programs = new Intl.ListFormat(currentLanguage(), { type: 'disjunction' })
  const values = { count, program: programs.format(program.split(' or ')) }
  return t('{count, plural, one {# row} other {# rows}} from {program}', values)
}

type SourceSummaryProps = Omit<ImportPreviewProps, 'list'> & { id: string; rowCount: number }

/** What was read, how, and what may be wrong with it. */
function SourceSummary({ id, step, rowCount, importFlow }: SourceSummaryProps) {
  const { origin, source, choice } = step
  const { workbook, encoding } = source
  const sheets =
    workbook?.sheets.map(
      ({ name, isHidden }, index) => [index, isHidden ? t('{name} (hidden)', { name }) : name] as const,
    ) ?? []

  const onChoose = (choice: SourceChoice) => void importFlow.read(origin, { choice })
  return (
    <div className={styles.source}>
      <p id={id} className={styles.sourceSummary}>
        <strong translate={source.name === null ? 'yes' : 'no'}>{source.name ?? t('Pasted rows')}</strong>
        <i> · </i>
        <Text>{describeRowCount(rowCount, source.program)}</Text>
      </p>
      {source.isEncodingUnsure && <Message role="status">{t('Do these names look right?')}</Message>}
      {/* A file doesn't tell which one it is in. */}
      {encoding && (
        <Choice
          label={t('Encoding')}
          choices={encodings.map((choice) => [choice.encoding, describeEncoding(choice)] as const)}
          chosen={choice}
          onChoose={onChoose}
        />
      )}
      {sheets.length > 1 && (
        <Choice label={t('Sheet')} translate="no" choices={sheets} chosen={choice} onChoose={onChoose} />
      )}
    </div>
  )
}

interface ChoiceProps {
  label: string
  choices: readonly (readonly [SourceChoice, string])[]
  chosen: SourceChoice | null
  /** `no` if the choices are names. */
  translate?: 'no'
  onChoose(choice: SourceChoice): void
}

function Choice({ label, choices, chosen, translate, onChoose }: ChoiceProps) {
  return (
    <label className={styles.encoding}>
      {label}
      <select
        className="arrow"
        value={chosen ?? ''}
        onChange={({ target }) => {
          const [choice] = choices[target.selectedIndex] ?? []
          if (choice !== undefined) onChoose(choice)
        }}
      >
        {choices.map(([value, name]) => (
          <option key={value} value={value} translate={translate}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
