import { maxBatchSize } from '../../../../contract/batches.ts'
import {
  changedNames,
  type Employee,
  type FieldName,
  fieldNames,
  fieldOf,
  fieldRules,
  mapFields,
} from '../../../../contract/employees.ts'
import { currentLanguage, type Message, msg, t } from '../../../language/translate.ts'
import { isolate } from '../../../lib/isolate.ts'
import { capitalize, fieldViews, titleField } from '../../model/fields.ts'
import { getColumnLetters } from '../../model/spreadsheet/column-letters.ts'
import { findDoubts, type TextDoubts } from './find-doubts.ts'
import { countSpaced, type MatchedRow, matchInSteps } from './matching/match-rows.ts'
import type { Steps } from './matching/target-index.ts'
import type { ColumnIndices, SheetLayout } from './source/detect-columns.ts'
import type { ParsedSource } from './source/parse-source.ts'

export interface ReadOptions extends SheetLayout {
  /** Removes the apostrophes of `escapeFormula`. */
  unescapesFormulas: boolean
  /** Generates a password for each new record that lacks one. */
  generates: boolean
  /** Removes the space around names and passwords. */
  trims: boolean
}

/** How a source is read before the user chooses anything. */
export const proposeOptions = (source: ParsedSource): ReadOptions => ({
  ...source.layout,
  // A workbook needs no apostrophe against formulas, so there it is probably a part of the text.
  unescapesFormulas: source.workbook === null,
  generates: false,
  trims: false,
})

export type Outcome = MatchedRow['outcome']
export const outcomeLabels: Record<Outcome, Message> = {
  new: msg('New'),
  changed: msg('Changed'),
  unchanged: msg('Unchanged'),
  invalid: msg('Can’t import'),
  skipped: msg('Skipped'),
}
export const outcomes = Object.keys(outcomeLabels) as Outcome[]

export interface Preview extends TextDoubts {
  rows: MatchedRow[]
  counts: Record<Outcome, number>
  /** How many rows are new only with a generated password. */
  lackingCount: number
  /** How many rows have space around each field that `trims` removes. */
  spacedCounts: Record<FieldName, number>
  /** How many cells of the chosen columns are errors, and how many other computers may show in another form. */
  failedCount: number
  localCount: number
  /** Why nothing can be imported; null if the import can start. */
  problem: string | null
  /** The field whose column has to be chosen before anything can be imported. */
  missingField: FieldName | null
}

export function* previewInSteps(
  source: ParsedSource,
  readOptions: ReadOptions,
  employees: readonly Employee[],
): Steps<Preview> {
  const { hasHeader, columns, unescapesFormulas, generates, trims } = readOptions
  const unescapes = unescapesFormulas && source.escapedCellCount > 0
  const dataRows = hasHeader ? source.rows.slice(1) : source.rows
  const rows = yield* matchInSteps(dataRows, columns, employees, { generates, unescapes, trims })
  const counts = countOutcomes(rows)
  const lackingCount = rows.filter((row) => 'lacksSecret' in row && row.lacksSecret).length
  const spacedCounts = mapFields((name) => countSpaced(dataRows, columns, name))
  const chosen = new Set(Object.values(columns))
  const countIn = (list: 'failedColumns' | 'localColumns') =>
    dataRows.reduce((sum, row) => sum + (row[list]?.filter((column) => chosen.has(column)).length ?? 0), 0)
  const missingField = findMissingField(columns, counts)
  return {
    rows,
    counts,
    lackingCount,
    spacedCounts,
    failedCount: countIn('failedColumns'),
    localCount: countIn('localColumns'),
    ...(yield* findDoubts(rows, source)),
    problem: findProblem(source, rows.length, missingField),
    missingField,
  }
}

/** How many rows have each outcome. */
export function countOutcomes(rows: readonly MatchedRow[]): Preview['counts'] {
  const counts = { new: 0, changed: 0, unchanged: 0, invalid: 0, skipped: 0 }
  for (const { outcome } of rows) counts[outcome] += 1
  return counts
}

function findProblem({ isTruncated }: ParsedSource, count: number, missing: FieldName | null): string | null {
  if (isTruncated || count > maxBatchSize)
    return t('That’s more than {max, number} rows. Import them in parts.', { max: maxBatchSize })
  if (missing === null) return null
  const field = capitalize(t(fieldViews[missing].noun))
  return fieldRules[missing].isSecret
    ? t('Choose the column for “{field}”, or generate one for each row.', { field })
    : t('Choose the column for “{field}”.', { field })
}

/** The first required field that has no column, where no row could be imported for lack of it. */
function findMissingField(columns: ColumnIndices, counts: Preview['counts']): FieldName | null {
  if (columns.email === null) return 'email'
  if (counts.invalid === 0 || counts.new + counts.changed + counts.unchanged > 0) return null
  return fieldNames.find((name) => !fieldRules[name].isOptional && columns[name] === null) ?? null
}

/** Describes what would change, or why the row is not imported, and what was left out of it. Never contains a secret. */
export function describeRow(row: MatchedRow): string {
  const details = [describeOutcome(row)]
  if (row.emailCount) details.push(t('the first of {count, number} emails', { count: row.emailCount }))
  return new Intl.ListFormat(currentLanguage(), { type: 'unit' }).format(details.filter(Boolean))
}

function describeOutcome(row: MatchedRow): string {
  if ('reason' in row) return t(row.reason, row.values)
  if (row.outcome === 'new' && row.lacksSecret)
    return row.isImported ? t('password generated') : t('password will be generated')
  if (row.outcome === 'unchanged' && row.sameAs !== undefined)
    return t('Same as row {number}', { number: row.sameAs })
  if (row.outcome !== 'changed') return ''
  const { seen, fields } = row
  const changes = changedNames(seen, fields).map((name) => describeChange(name, fieldOf(seen, name)))
  return new Intl.ListFormat(currentLanguage(), { type: 'unit' }).format(changes)
}

function describeChange(name: FieldName, previous: string): string {
  const field = t(fieldViews[name].noun)
  if (fieldRules[name].isSecret || previous === '') return t('new {field}', { field })
  if (name === titleField) return t('was {previous}', { previous: isolate(previous) })
  return t('{field} was {previous}', { field, previous: isolate(previous) })
}

/** The header's names of the columns; where they have none, or the same, with letters like in a spreadsheet. */
export function getColumnNames(source: ParsedSource, hasHeader: boolean): string[] {
  const header = hasHeader ? source.rows[0]?.cells : undefined
  const width = (source.usedColumns.at(-1) ?? -1) + 1
  const names = Array.from({ length: width }, (_, i) => header?.[i]?.trim().slice(0, 60) ?? '')
  return names.map((name, i) => {
    const letters = t('Column {letters}', { letters: getColumnLetters(i) })
    if (name === '') return letters
    return names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${letters})`
  })
}
