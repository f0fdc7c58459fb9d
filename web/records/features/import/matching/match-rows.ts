import type { Batch } from '../../../../../contract/batches.ts'
import {
  type Employee,
  type EmployeeFields,
  type FieldName,
  fieldNames,
  fieldOf,
  fieldRules,
  findInvalidField,
  hasSameFields,
  mapFields,
  maxFieldLength,
  pickFields,
  removeInvisible,
  trimSpace,
  withoutEmpty,
} from '../../../../../contract/employees.ts'
import { type Message, msg } from '../../../../language/translate.ts'
import { afterPaint } from '../../../../lib/dom.ts'
import { fieldViews, titleField } from '../../../model/fields.ts'
import { joinName } from '../../../model/join-name.ts'
import { defaultPasswordOptions, generatePassword } from '../../../model/passwords/generate-password.ts'
import { escapeFormula, unescapeFormula } from '../../../model/spreadsheet/escape-formulas.ts'
import type { ColumnIndices } from '../source/detect-columns.ts'
import { parseFirstEmail } from '../source/first-email.ts'
import type { SheetRow } from '../source/sheet.ts'
import { isSameText } from './same-text.ts'
import { createTargetIndex, type Steps } from './target-index.ts'

/** What the import would do with a row. `seen` is the record that an update expects to find. */
export type RowOutcome =
  /** `lacksSecret`: the import generates one; if `isImported`, it has. */
  | { outcome: 'new'; fields: EmployeeFields; lacksSecret: boolean; isImported?: true }
  | { outcome: 'changed'; fields: EmployeeFields; seen: Employee }
  /** A record already has these values; or, after the import, that of the row `sameAs`. */
  | { outcome: 'unchanged'; fields: EmployeeFields; sameAs?: number }
  /** The row is not a login; once the import is done, also one that was invalid. */
  | { outcome: 'skipped'; fields: EmployeeFields; reason: Message; values?: Values }
  /** `values` are those of the reason. `lacksSecret`: it is new if the import generates one. */
  | { outcome: 'invalid'; fields: EmployeeFields; reason: Message; values?: Values; lacksSecret?: boolean }

type Values = Record<string, number>

/** `emailCount`: the number of emails in its cell, of which the first is used; absent if there are not several. */
export type MatchedRow = { number: number; emailCount?: number } & RowOutcome

/** A record as it will be after the import: an existing one (`seen`), or one that a row adds. */
interface TargetRecord {
  fields: EmployeeFields
  seen?: Employee
  /** The first row that was matched to this record. */
  rowNumber?: number
}

/** The number of rows that are matched between two pauses. */
const rowsPerStep = 500

/**
 * Decides what the import would do with each row. Rows are matched to records by email, ignoring case. A blank cell or a
 * missing column leaves the existing value unchanged. If two rows match one record, the first one is used. A row without a
 * password is new only if the import `generates` one. `unescapes` removes the apostrophes of `escapeFormula`, `trims` the space
 * around names and passwords.
 */
export function* matchInSteps(
  rows: readonly SheetRow[],
  columns: ColumnIndices,
  employees: readonly Employee[],
  { generates = false, unescapes = false, trims = false } = {},
): Steps<MatchedRow[]> {
  const targets = createTargetIndex<TargetRecord>()
  for (const [index, seen] of employees.entries()) {
    if (index % rowsPerStep === 0) yield
    targets.add({ seen, fields: pickFields(seen) })
  }
  const matched: MatchedRow[] = []
  const sheet: EmployeeFields[] = []

  // Match unchanged rows first, so that each finds its own record if several records share an email.
  for (const [index, row] of rows.entries()) {
    if (index % rowsPerStep === 0) yield
    const cells = unescapes ? row.cells.map(unescapeFormula) : row.cells
    const asRead = readFields(cells, columns, trims)
    const fields = cleanTexts(asRead)
    sheet.push(fields)
    const { number, skipReason, problem } = row
    if (skipReason) {
      matched[index] = { number, outcome: 'skipped', fields, reason: skipReason }
      continue
    }
    if (problem) {
      matched[index] = { number, ...rejectRow(fields, problem) }
      continue
    }
    let found = yield* targets.find(asRead, listFilled(asRead))
    if (!found.first && !hasSameFields(asRead, fields))
      found = yield* targets.find(fields, listFilled(fields))
    const target = found.firstFree ?? found.first
    if (!target) continue
    matched[index] = { number, ...repeat(target, target.fields) }
    if (found.firstFree) targets.take(found.firstFree, number)
  }
  // A password in the sheet takes precedence over one that is generated for the same email.
  for (const lacksSecret of generates ? [false, true] : [null]) {
    for (const [index, fields] of sheet.entries()) {
      if (index % rowsPerStep === 0) yield
      const row = rows[index]
      if (!row || matched[index]) continue
      if (lacksSecret !== null && lacksSecret !== hasBlankSecret(fields)) continue
      const result = yield* matchRow(fields, targets, row.number, generates)
      const { count = 0 } = columns.email === null ? {} : parseFirstEmail(row.cells[columns.email] ?? '')
      matched[index] = { number: row.number, ...result, ...(count > 1 ? { emailCount: count } : {}) }
      // No other target has this email.
      if (result.outcome === 'new') targets.add({ fields, rowNumber: row.number })
    }
  }
  return matched
}

function* matchRow(
  fields: EmployeeFields,
  targets: ReturnType<typeof createTargetIndex<TargetRecord>>,
  rowNumber: number,
  generates: boolean,
): Steps<RowOutcome> {
  if (fields.email === '') return rejectRow(fields, fieldViews.email.missing)
  const all = targets.findByEmail(fields)
  if (all.count === 0) {
    const reason = findProblem(fields)
    const lacksSecret = reason !== null && findProblem(fillSecrets(fields, () => '-')) === null
    if (reason && !(lacksSecret && generates)) return { ...rejectRow(fields, reason), lacksSecret }
    return { outcome: 'new', fields, lacksSecret }
  }
  const { first: unchanged } = yield* targets.find(fields, listFilled(fields))
  if (unchanged) return repeat(unchanged, fields)
  if (all.freeCount === 0) {
    const number = all.first?.rowNumber ?? 0
    return rejectRow(fields, msg('Row {number} has the same email but different data.'), { number })
  }
  const { freeCount, firstFree: target } = all.count > 1 ? yield* targets.find(fields, [titleField]) : all
  if (!target?.seen || freeCount > 1) {
    const reason = msg('{count, number} records have this email. It isn’t clear which one is meant.')
    return rejectRow(fields, reason, { count: all.count })
  }
  const merged = fillBlanks(fields, target.fields)
  const reason = findProblem(merged)
  if (reason) return rejectRow(fields, reason)
  targets.take(target, rowNumber, merged)
  return { outcome: 'changed', fields: merged, seen: target.seen }
}

/** A row with the values of a record, or of the row that was matched to it first. */
const repeat = ({ rowNumber }: TargetRecord, fields: EmployeeFields) =>
  ({ outcome: 'unchanged', fields, ...(rowNumber !== undefined && { sameAs: rowNumber }) }) as const

function rejectRow(fields: EmployeeFields, reason: Message, values: Values = {}) {
  return { outcome: 'invalid', fields, reason, values } as const
}

/** What programs write in the place of a password that they don't tell. */
export const hiddenSecret =
  /^\s*([*＊•●∙·⁕]+|[*<[({]+(masked|hidden|redacted|removed|protected|encrypted)[*>\])}]+)\s*$/i

/**
 * Reads the first email, also for the name if it has no column, and trims the two halves of a name. Other white space
 * is significant, unless it `trims`. A hidden password is none.
 */
function readFields(cells: readonly string[], columns: ColumnIndices, trims: boolean): EmployeeFields {
  const cell = (column: keyof ColumnIndices) => {
    const text = columns[column] === null ? '' : (cells[columns[column]] ?? '')
    return trims ? trimCell(text) : text
  }
  const fields = mapKnown((name) => {
    if (fieldRules[name].isSecret && hiddenSecret.test(cell(name))) return ''
    return fieldRules[name].isEmail ? parseFirstEmail(cell(name)).email : cell(name)
  })
  if (columns.lastName === null) {
    return columns[titleField] === null
      ? { ...fields, [titleField]: parseFirstEmail(cell('email')).name }
      : fields
  }
  return { ...fields, [titleField]: joinName(cell(titleField).trim(), cell('lastName').trim()) }
}

/** What has no other text stays, such as in an export of a record whose name cannot be seen. */
const cleanTexts = (fields: EmployeeFields): EmployeeFields =>
  mapKnown((name) => {
    const text = fieldOf(fields, name)
    return fieldRules[name].isSecret ? text : removeInvisible(text) || text
  })

/** Removes outer space, and the quotation marks that a space before them has made a part of the text. */
function trimCell(text: string): string {
  const trimmed = trimSpace(text)
  return trimmed === text
    ? text
    : trimmed.replace(/^"(.*)"$/s, (_, inner: string) => inner.replaceAll('""', '"'))
}

/** The number of rows whose name or password has outer space that `trims` removes. */
export function countSpaced(rows: readonly SheetRow[], columns: ColumnIndices, field: FieldName): number {
  const column = columns[field]
  if (column === null || fieldRules[field].isEmail || (field === titleField && columns.lastName !== null))
    return 0
  // Also what is nothing but space: a value that is allowed, and one that nobody sees in a spreadsheet.
  const isSpaced = (text = '') => trimSpace(text) !== text
  return rows.filter(({ cells, skipReason }) => !skipReason && isSpaced(cells[column])).length
}

/** An import does not name an optional field that a row leaves blank. */
const mapKnown = (convert: (name: FieldName) => string) => withoutEmpty(mapFields(convert))

const isBlank = (text: string) => text.trim() === ''

/** Returns the fields with existing values where cells are blank or have the same text. The email retains its existing spelling. */
function fillBlanks(fields: EmployeeFields, existing: EmployeeFields): EmployeeFields {
  return mapKnown((name) => {
    const [text, before] = [fieldOf(fields, name), fieldOf(existing, name)]
    const retains = fieldRules[name].isEmail || isBlank(text) || isSameText(text, before)
    return retains ? before : text
  })
}

const isBlankSecret = (fields: EmployeeFields, name: FieldName) =>
  fields[name] === '' && fieldRules[name].isSecret && !fieldRules[name].isOptional

const hasBlankSecret = (fields: EmployeeFields) => fieldNames.some((name) => isBlankSecret(fields, name))

/** Returns the fields with a new value for each secret that is missing and has to be there. */
const fillSecrets = (fields: EmployeeFields, generate: () => string): EmployeeFields =>
  mapKnown((name) => (isBlankSecret(fields, name) ? generate() : fieldOf(fields, name)))

/** Returns a password that a spreadsheet takes for text, because it will often be handed over in one. */
function generateSecret(): string {
  const secret = generatePassword(defaultPasswordOptions)
  return escapeFormula(secret) === secret ? secret : generateSecret()
}

/** The fields in which a row must have the text of a record that it leaves unchanged. */
const listFilled = (fields: EmployeeFields) =>
  fieldNames.filter((name) => !fieldRules[name].isEmail && !isBlank(fieldOf(fields, name)))

/** Why the record is invalid by the rules of `contract/`; null if it is valid. */
function findProblem(fields: EmployeeFields): Message | null {
  const field = findInvalidField(fields)
  if (!field) return null
  const text = fieldOf(fields, field)
  if (text === '') return fieldViews[field].missing
  if (text.length > maxFieldLength) return fieldViews[field].tooLong
  return fieldRules[field].isEmail ? msg('This is not an email address.') : fieldViews[field].invalid
}

/** The number of passwords that are generated in 40 ms. */
const passwordsPerPaint = 5_000

/** The batch that imports these rows, with new passwords for those that lack one. Lets the browser paint in between. */
export async function buildBatch(rows: readonly MatchedRow[]): Promise<Batch> {
  const batch: Batch = { add: [], update: [], remove: [] }
  let generatedCount = 0
  for (const row of rows) {
    if (row.outcome === 'changed') batch.update.push({ seen: row.seen, fields: row.fields })
    if (row.outcome !== 'new') continue
    batch.add.push(fillSecrets(row.fields, generateSecret))
    if (row.lacksSecret) generatedCount++
    if (row.lacksSecret && generatedCount % passwordsPerPaint === 0) await afterPaint()
  }
  return batch
}
