import type { Batch } from '../../../contract/batches.ts'
import {
  type Employee,
  type EmployeeFields,
  findInvalidField,
  hasSameFields,
  maxFieldLength,
  pickFields,
} from '../../../contract/employees.ts'
import type { ColumnIndices, Field } from './detect-columns.ts'
import type { SheetRow } from './parse-sheet.ts'

/** What an import would do with one row. */
export type RowOutcome =
  | { outcome: 'new'; fields: EmployeeFields }
  | { outcome: 'changed'; fields: EmployeeFields; seen: Employee }
  /** Nothing to do: the register has it, or an earlier row of the file. */
  | { outcome: 'unchanged'; fields: EmployeeFields }
  | { outcome: 'invalid'; fields: EmployeeFields; reason: string }

export type MatchedRow = { number: number } & RowOutcome

/** A record as it will be: of the register, or of a row of the file. */
interface RecordSlot {
  fields: EmployeeFields
  seen?: Employee
  /** The row that has it already. */
  rowNumber?: number
}

/**
 * Says what each row would do to the register. A row belongs to the record with its email, capitals left aside; an empty
 * cell or a missing column leaves what is there. Of two rows for one record the first counts.
 */
export function matchRows(
  rows: readonly SheetRow[],
  columns: ColumnIndices,
  employees: readonly Employee[],
): MatchedRow[] {
  const slots = groupSlotsByEmail(employees)
  const outcomes = new Map<SheetRow, RowOutcome>()
  const findSlots = (fields: EmployeeFields) => slots.get(normalizeEmail(fields.email)) ?? []

  // Rows that the register has as they are come first, so that where records share an email, each finds its own.
  for (const row of rows) {
    const fields = readFields(row, columns)
    const unchangedSlots = findSlots(fields).filter((slot) => isUnchanged(fields, slot))
    const slot = unchangedSlots.find(({ rowNumber }) => rowNumber === undefined) ?? unchangedSlots[0]
    if (!slot) continue
    slot.rowNumber ??= row.number
    outcomes.set(row, { outcome: 'unchanged', fields: slot.fields })
  }
  for (const row of rows) {
    if (outcomes.has(row)) continue
    const fields = readFields(row, columns)
    const verdict = decideOutcome(fields, findSlots(fields), row.number)
    outcomes.set(row, verdict)
    if (verdict.outcome === 'new') addSlot(slots, { fields, rowNumber: row.number })
  }
  return rows.map((row) => ({ number: row.number, ...(outcomes.get(row) as RowOutcome) }))
}

function decideOutcome(fields: EmployeeFields, slots: RecordSlot[], rowNumber: number): RowOutcome {
  if (fields.email === '') return rejectRow(fields, 'The email is missing.')
  if (slots.length === 0) {
    const reason = findProblem(fields)
    return reason ? rejectRow(fields, reason) : { outcome: 'new', fields }
  }
  if (slots.some((slot) => isUnchanged(fields, slot))) return { outcome: 'unchanged', fields }
  const unmatchedSlots = slots.filter(({ rowNumber }) => rowNumber === undefined)
  if (unmatchedSlots.length === 0)
    return rejectRow(fields, `Row ${slots[0]?.rowNumber} has this email too, with other data.`)
  const sameNameSlots = unmatchedSlots.filter((slot) => slot.fields.eName === fields.eName)
  const [slot, ...others] = slots.length > 1 ? sameNameSlots : unmatchedSlots
  if (!slot?.seen || others.length > 0) {
    return rejectRow(fields, `${slots.length} records have this email, and it is not clear which is meant.`)
  }
  const merged = mergeFields(fields, slot.fields)
  const reason = findProblem(merged)
  if (reason) return rejectRow(fields, reason)
  slot.fields = merged
  slot.rowNumber = rowNumber
  return { outcome: 'changed', fields: merged, seen: slot.seen }
}

const rejectRow = (fields: EmployeeFields, reason: string): RowOutcome => ({
  outcome: 'invalid',
  fields,
  reason,
})

function groupSlotsByEmail(employees: readonly Employee[]): Map<string, RecordSlot[]> {
  const slots = new Map<string, RecordSlot[]>()
  for (const seen of employees) addSlot(slots, { seen, fields: pickFields(seen) })
  return slots
}

function addSlot(slots: Map<string, RecordSlot[]>, slot: RecordSlot) {
  const key = normalizeEmail(slot.fields.email)
  const sameEmailSlots = slots.get(key)
  if (sameEmailSlots) sameEmailSlots.push(slot)
  else slots.set(key, [slot])
}

const normalizeEmail = (email: string) => email.toLowerCase()

/** A name and a password are taken as they stand, spaces and all; of an email no space is part. */
function readFields({ cells }: SheetRow, columns: ColumnIndices): EmployeeFields {
  const cell = (field: Field) => (columns[field] === null ? '' : (cells[columns[field]] ?? ''))
  return { eName: cell('eName'), email: cell('email').trim(), password: cell('password') }
}

/** Of a cell with nothing but spaces nothing is taken over. */
const isBlank = (text: string) => text.trim() === ''

/** The email's own spelling stays as the register has it: it is what the two were matched by. */
function mergeFields({ eName, password }: EmployeeFields, existing: EmployeeFields): EmployeeFields {
  return {
    eName: isBlank(eName) ? existing.eName : eName,
    email: existing.email,
    password: isBlank(password) ? existing.password : password,
  }
}

const isUnchanged = (fields: EmployeeFields, slot: RecordSlot) =>
  hasSameFields(mergeFields(fields, slot.fields), slot.fields)

const fieldLabels: Record<Field, string> = { eName: 'name', email: 'email', password: 'password' }

/** Why the contract would refuse this record; null where it would not. */
function findProblem(fields: EmployeeFields): string | null {
  const field = findInvalidField(fields)
  if (!field) return null
  if (fields[field] === '') return `The ${fieldLabels[field]} is missing.`
  if (fields[field].length > maxFieldLength) return `The ${fieldLabels[field]} is too long.`
  return field === 'email'
    ? 'This is not an email address.'
    : `The ${fieldLabels[field]} is not valid Unicode.`
}

/** What has to be sent for these rows. */
export function buildBatch(rows: readonly MatchedRow[]): Batch {
  return {
    add: rows.flatMap((row) => (row.outcome === 'new' ? [row.fields] : [])),
    update: rows.flatMap((row) =>
      row.outcome === 'changed' ? [{ seen: row.seen, fields: row.fields }] : [],
    ),
    remove: [],
  }
}
