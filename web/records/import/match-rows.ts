import type { Batch } from '../../../contract/batches.ts'
import {
  type Employee,
  type EmployeeFields,
  fieldsOf,
  maxFieldLength,
  sameFields,
  wrongField,
} from '../../../contract/employees.ts'
import type { Columns, Field } from './detect-columns.ts'
import type { SheetRow } from './parse-sheet.ts'

/** What an import would do with one row. */
export type Verdict =
  | { verdict: 'new'; fields: EmployeeFields }
  | { verdict: 'changed'; fields: EmployeeFields; seen: Employee }
  /** Nothing to do: the register has it, or an earlier row of the file. */
  | { verdict: 'same'; fields: EmployeeFields }
  | { verdict: 'wrong'; fields: EmployeeFields; reason: string }

export type JudgedRow = { number: number } & Verdict

/** A record as it will be: of the register, or of a row of the file. */
interface Slot {
  fields: EmployeeFields
  seen?: Employee
  /** The row that has it already. */
  row?: number
}

/**
 * Says what each row would do to the register. A row belongs to the record with its email, capitals left aside; an empty
 * cell or a missing column leaves what is there. Of two rows for one record the first counts.
 */
export function mergeRows(
  rows: readonly SheetRow[],
  columns: Columns,
  book: readonly Employee[],
): JudgedRow[] {
  const slots = slotsByEmail(book)
  const verdicts = new Map<SheetRow, Verdict>()
  const find = (fields: EmployeeFields) => slots.get(keyOf(fields.email)) ?? []

  // Rows that the register has as they are come first, so that where records share an email, each finds its own.
  for (const row of rows) {
    const fields = fieldsIn(row, columns)
    const twins = find(fields).filter((slot) => isSame(fields, slot))
    const slot = twins.find(({ row }) => row === undefined) ?? twins[0]
    if (!slot) continue
    slot.row ??= row.number
    verdicts.set(row, { verdict: 'same', fields: slot.fields })
  }
  for (const row of rows) {
    if (verdicts.has(row)) continue
    const fields = fieldsIn(row, columns)
    const verdict = judge(fields, find(fields), row.number)
    verdicts.set(row, verdict)
    if (verdict.verdict === 'new') addTo(slots, { fields, row: row.number })
  }
  return rows.map((row) => ({ number: row.number, ...(verdicts.get(row) as Verdict) }))
}

function judge(fields: EmployeeFields, slots: Slot[], number: number): Verdict {
  if (fields.email === '') return wrong(fields, 'The email is missing.')
  if (slots.length === 0) {
    const reason = problemOf(fields)
    return reason ? wrong(fields, reason) : { verdict: 'new', fields }
  }
  if (slots.some((slot) => isSame(fields, slot))) return { verdict: 'same', fields }
  const free = slots.filter(({ row }) => row === undefined)
  if (free.length === 0) return wrong(fields, `Row ${slots[0]?.row} has this email too, with other data.`)
  const named = free.filter((slot) => slot.fields.eName === fields.eName)
  const [slot, ...others] = slots.length > 1 ? named : free
  if (!slot?.seen || others.length > 0) {
    return wrong(fields, `${slots.length} records have this email, and it is not clear which is meant.`)
  }
  const merged = mergedOf(fields, slot.fields)
  const reason = problemOf(merged)
  if (reason) return wrong(fields, reason)
  slot.fields = merged
  slot.row = number
  return { verdict: 'changed', fields: merged, seen: slot.seen }
}

const wrong = (fields: EmployeeFields, reason: string): Verdict => ({ verdict: 'wrong', fields, reason })

function slotsByEmail(book: readonly Employee[]): Map<string, Slot[]> {
  const slots = new Map<string, Slot[]>()
  for (const seen of book) addTo(slots, { seen, fields: fieldsOf(seen) })
  return slots
}

function addTo(slots: Map<string, Slot[]>, slot: Slot) {
  const key = keyOf(slot.fields.email)
  const alike = slots.get(key)
  if (alike) alike.push(slot)
  else slots.set(key, [slot])
}

const keyOf = (email: string) => email.toLowerCase()

/** A name and a password are taken as they stand, spaces and all; of an email no space is part. */
function fieldsIn({ cells }: SheetRow, columns: Columns): EmployeeFields {
  const cell = (field: Field) => (columns[field] === null ? '' : (cells[columns[field]] ?? ''))
  return { eName: cell('eName'), email: cell('email').trim(), password: cell('password') }
}

/** Of a cell with nothing but spaces nothing is taken over. */
const isBlank = (text: string) => text.trim() === ''

/** The email's own spelling stays as the register has it: it is what the two were matched by. */
function mergedOf({ eName, password }: EmployeeFields, present: EmployeeFields): EmployeeFields {
  return {
    eName: isBlank(eName) ? present.eName : eName,
    email: present.email,
    password: isBlank(password) ? present.password : password,
  }
}

const isSame = (fields: EmployeeFields, slot: Slot) => sameFields(mergedOf(fields, slot.fields), slot.fields)

const labels: Record<Field, string> = { eName: 'name', email: 'email', password: 'password' }

/** Why the contract would refuse this record; null where it would not. */
function problemOf(fields: EmployeeFields): string | null {
  const field = wrongField(fields)
  if (!field) return null
  if (fields[field] === '') return `The ${labels[field]} is missing.`
  if (fields[field].length > maxFieldLength) return `The ${labels[field]} is too long.`
  return field === 'email' ? 'This is not an email address.' : `The ${labels[field]} is not valid Unicode.`
}

/** What has to be sent for these rows. */
export function batchOf(rows: readonly JudgedRow[]): Batch {
  return {
    add: rows.flatMap((row) => (row.verdict === 'new' ? [row.fields] : [])),
    update: rows.flatMap((row) =>
      row.verdict === 'changed' ? [{ seen: row.seen, fields: row.fields }] : [],
    ),
    remove: [],
  }
}
