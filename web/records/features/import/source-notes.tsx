import { t } from '../../../language/translate.ts'
import { isolate } from '../../../lib/isolate.ts'
import { Message } from '../../../ui/message.tsx'
import { titleField } from '../../model/fields.ts'
import styles from './import-preview.module.css'
import { getColumnNames, type Preview, type ReadOptions } from './preview.ts'
import { formatLocalDate } from './source/local-date.ts'
import type { ParsedSource } from './source/parse-source.ts'

interface SourceNotesProps {
  source: ParsedSource
  readOptions: ReadOptions
  preview: Preview
}

/** Whether a cell may be wrong, or something was left out, so that the user has to look. */
export const hasDoubts = (
  source: ParsedSource,
  { doubts, areNamesBroken, failedCount, localCount }: Preview,
) =>
  source.hasUnclosedQuote ||
  (source.doubts ?? []).length + doubts.length > 0 ||
  areNamesBroken ||
  failedCount > 0 ||
  localCount > 0 ||
  isSheetHidden(source.workbook)

const isSheetHidden = (workbook: ParsedSource['workbook']) =>
  workbook !== null && workbook.sheets[workbook.sheet]?.isHidden === true

/** Each once: the reader and the preview may ask the same. */
const listDoubts = (source: ParsedSource, preview: Preview) => [
  ...new Map(
    [...(source.doubts ?? []), ...preview.doubts].map((doubt) => [String(doubt[1]), doubt]),
  ).values(),
]

/** What may be wrong with what was read. */
export function SourceNotes({ source, readOptions, preview }: SourceNotesProps) {
  const names = getColumnNames(source, readOptions.hasHeader)
  const { email, password } = readOptions.columns
  return (
    <>
      <Message role="status">{preview.areNamesBroken && t('Do these names look right?')}</Message>
      <Message role="status">
        {readOptions.isNameGuessed &&
          t('Are the names in {column}?', {
            column: isolate(names[readOptions.columns[titleField] ?? 0] ?? ''),
          })}
      </Message>
      <Message role="status">
        {readOptions.isEmailGuessed &&
          t('Are the emails in {column}?', { column: isolate(names[email ?? 0] ?? '') })}
      </Message>
      <Message role="status">
        {readOptions.isPasswordGuessed &&
          t('Are the passwords in {column}?', { column: isolate(names[password ?? 0] ?? '') })}
      </Message>
      {/* Read aloud at once, as they are questions about passwords; in the colours of a question, not of a failure. */}
      <div className={styles.doubts}>
        {source.hasUnclosedQuote && (
          <Message role="alert">
            {t('A quotation mark is never closed, so everything after it is read as one row.')}
          </Message>
        )}
        {listDoubts(source, preview).map((doubt) => (
          <Message key={String(doubt[1])} role="alert">
            {t(doubt)}
          </Message>
        ))}
      </div>
      <Message role="status">
        {preview.failedCount > 0 &&
          t(
            '{count, plural, one {# cell failed in the spreadsheet, as {error} does. It counts as empty.} other {# cells failed in the spreadsheet, as {error} does. They count as empty.}}',
            { count: preview.failedCount, error: '#N/A' },
          )}
      </Message>
      <Message role="status">
        {preview.localCount > 0 &&
          t(
            '{count, plural, one {# cell is a date or number that other computers write differently. It was read as this one writes it, like {example}. Is that what your sheet shows?} other {# cells are dates or numbers that other computers write differently. They were read as this one writes them, like {example}. Is that what your sheet shows?}}',
            { count: preview.localCount, example: isolate(giveExample()) },
          )}
      </Message>
      <WorkbookNotes workbook={source.workbook} />
    </>
  )
}

/** A date and a number in the language of the worker. */
const giveExample = () =>
  new Intl.ListFormat(navigator.language, { type: 'unit' }).format([
    formatLocalDate(Date.UTC(2026, 11, 31), navigator.language),
    (1234.5).toLocaleString(navigator.language),
  ])

function WorkbookNotes({ workbook }: Pick<ParsedSource, 'workbook'>) {
  if (!workbook) return null
  const { hiddenRowCount, hiddenColumnCount } = workbook
  return (
    <>
      <Message role="status">{isSheetHidden(workbook) && t('This sheet is hidden in the workbook.')}</Message>
      <Message role="status">
        {hiddenRowCount > 0 &&
          t(
            '{count, plural, one {# row is hidden in the workbook. It is listed here too.} other {# rows are hidden in the workbook. They are listed here too.}}',
            { count: hiddenRowCount },
          )}
      </Message>
      <Message role="status">
        {hiddenColumnCount > 0 &&
          t(
            '{count, plural, one {# column is hidden in the workbook. It is used only if you choose it.} other {# columns are hidden in the workbook. They are used only if you choose them.}}',
            { count: hiddenColumnCount },
          )}
      </Message>
    </>
  )
}
